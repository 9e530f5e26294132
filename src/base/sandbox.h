/* Taking a process's rights away, for work on data that may have been made to do harm.
 *
 * scr_sandbox_enter leaves a process with its memory and one socket: nothing can be opened, started,
 * connected or signalled any more, further memory and CPU time are bounded, and it ends with its parent. The
 * kernel sees to it with a filter of system calls (seccomp), which allows reading and writing what is open, memory that
 * is not executable, and little else. Where there is no filter (another system or processor, or a container that
 * refuses it), the limits alone remain. */
#ifndef SCREE_BASE_SANDBOX_H
#define SCREE_BASE_SANDBOX_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct {
    pid_t parent;     /* with the thread that forked, the process ends too */
    int socket;       /* all that stays open; one more descriptor at a time may come through it */
    uint64_t memory;  /* beyond what is mapped on entry; no limit in builds with sanitizers [bytes] */
    unsigned seconds; /* of CPU time; the parent can give more (prlimit) */
} scr_sandbox_def;

/* For a process just forked, with one thread; there is no way back. Ends the process when not even
 * the limits can be had. Whether the filter is in force. */
bool scr_sandbox_enter(const scr_sandbox_def *def);

#endif
