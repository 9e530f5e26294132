#include "base/h5_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/h5_file.h"
#include "base/sandbox.h"

#define MEMORY ((uint64_t)256 << 20) // beyond what the file's length explains [bytes]
#define LEAST  ((uint64_t)32 << 20)  // length that a child is ready for at least [bytes]
// of CPU time for a file: one takes a millisecond, the index of 100 000 frames a third of a second
#define SECONDS      2
#define MOST_SECONDS 60
#define PATIENCE     300 // without a sign of life; disks of other machines may be slow [s]
#define SERVED       100 // files of one child: starting one takes a millisecond or two

// what the child is asked with each descriptor, and the head of its answer
typedef struct {
    uint64_t size;
} question;

typedef struct {
    uint64_t status, length;
} answer;

/* ---- the child ---- */

// the next file, with its size; the child ends when there are no more requests
static int file_take(int socket, uint64_t *size)
{
    question q;
    union {
        struct cmsghdr head;
        char room[CMSG_SPACE(sizeof(int))];
    } control;
    struct iovec bytes = {&q, sizeof q};
    struct msghdr message = {
        .msg_iov = &bytes, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    if (recvmsg(socket, &message, 0) != sizeof q) _exit(0);
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    if (!head || head->cmsg_type != SCM_RIGHTS) _exit(1);
    int fd;
    memcpy(&fd, CMSG_DATA(head), sizeof fd);
    *size = q.size;
    return fd;
}

static void give(int socket, const void *data, size_t size)
{
    const char *bytes = data;
    for (ssize_t sent; size > 0; bytes += sent, size -= (size_t)sent)
        if ((sent = write(socket, bytes, size)) <= 0) _exit(0);
}

_Noreturn static void child_main(int socket, uint64_t size, pid_t parent)
{
    // descriptors that come are the lowest free ones
    socket = fcntl(socket, F_DUPFD, 3);
    scr_sandbox_enter(&(scr_sandbox_def){
        .parent = parent, .socket = socket, .memory = MEMORY + 4 * scr_h5_catalogue_limit(size), .seconds = SECONDS});
    for (;;) {
        char *bytes = NULL;
        size_t length = 0;
        int fd = file_take(socket, &size);
        scree_status status = scr_h5_walk(fd, size, &bytes, &length);
        close(fd);
        answer a = {status, status ? 0 : length};
        give(socket, &a, sizeof a);
        give(socket, bytes, (size_t)a.length);
        free(bytes);
    }
}

/* ---- starting and ending it ---- */

void scr_h5_reader_end(scr_h5_reader *r)
{
    // one that a parent of this process started is the parent's
    if (r->pid && r->owner == getpid()) {
        close(r->socket);
        // it has nothing more to say, and may not end by itself
        kill(r->pid, SIGKILL);
        r->how = 0;
        while (waitpid(r->pid, &r->how, 0) < 0 && errno == EINTR) continue;
    }
    r->pid = 0;
}

static bool start(scr_h5_reader *r, uint64_t size)
{
    int ends[2];
    scr_h5_reader_end(r);
    // the child inherits a library that is ready
    scr_h5_library_start();
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) return false;
    pid_t parent = getpid(), pid = fork();
    if (pid == 0) child_main(ends[1], size, parent);
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return false;
    }
    *r = (scr_h5_reader){.pid = pid, .owner = parent, .socket = ends[0], .size = size};
    return true;
}

/* ---- asking it ---- */

// the next file has its own time; where that cannot be set, all files of a child share the first one's
static void allow_time(const scr_h5_reader *r, uint64_t size)
{
    clockid_t clock;
    struct timespec spent;
    if (clock_getcpuclockid(r->pid, &clock) || clock_gettime(clock, &spent)) return;
    uint64_t seconds = SECONDS + (size >> 22);
    if (seconds > MOST_SECONDS) seconds = MOST_SECONDS;
    seconds += (uint64_t)spent.tv_sec + 1;
    // a limit of the whole session stays
    struct rlimit now;
    if (prlimit(r->pid, RLIMIT_CPU, NULL, &now)) return;
    now.rlim_cur = seconds < now.rlim_max ? seconds : now.rlim_max;
    prlimit(r->pid, RLIMIT_CPU, &now, NULL);
}

static bool ask(scr_h5_reader *r, int fd, uint64_t size)
{
    allow_time(r, size);
    question q = {size};
    union {
        struct cmsghdr head;
        char room[CMSG_SPACE(sizeof(int))];
    } control = {.room = {0}};
    control.head = (struct cmsghdr){CMSG_LEN(sizeof fd), SOL_SOCKET, SCM_RIGHTS};
    memcpy(CMSG_DATA(&control.head), &fd, sizeof fd);
    struct iovec bytes = {&q, sizeof q};
    struct msghdr message = {
        .msg_iov = &bytes, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    ssize_t sent;
    while ((sent = sendmsg(r->socket, &message, MSG_NOSIGNAL)) < 0 && errno == EINTR) continue;
    r->served++;
    return sent == sizeof q;
}

// whether there is something to read, or the end of it, before the child is silent for too long
static bool wait_for_bytes(const scr_h5_reader *r)
{
    // seconds are counted, not measured: a program that was stopped has not waited
    for (int ticks = 0; ticks < PATIENCE; ticks++) {
        struct pollfd ready = {.fd = r->socket, .events = POLLIN};
        int got = poll(&ready, 1, 1000);
        if (got > 0) return true;
        if (got < 0 && errno != EINTR) return false;
    }
    return false;
}

// exactly `size` bytes; false when the child falls silent or ends
static bool receive(const scr_h5_reader *r, void *data, size_t size)
{
    for (char *p = data; size > 0;) {
        if (!wait_for_bytes(r)) return false;
        ssize_t got = read(r->socket, p, size);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        p += got, size -= (size_t)got;
    }
    return true;
}

// the whole catalogue, or not; *refused: the child is well and says why there is none
static scree_status collect(scr_h5_reader *r, uint64_t limit, char **bytes, size_t *length, uint64_t *refused)
{
    answer a;
    *bytes = NULL, *refused = 0;
    if (!receive(r, &a, sizeof a) || a.length > limit) return SCREE_E_INPUT;
    *refused = a.status;
    if (a.status) return SCREE_E_INPUT;
    *length = (size_t)a.length;
    *bytes = malloc(*length + 1);
    if (!*bytes) return SCREE_E_MEMORY;
    return receive(r, *bytes, *length) ? SCREE_OK : SCREE_E_INPUT;
}

static void explain(char *why, scree_status status, uint64_t refused, int how)
{
    char reason[80] = "the reader gave no valid answer";
    if (status == SCREE_E_MEMORY)
        snprintf(reason, sizeof reason, "there is no memory for its catalogue");
    else if (refused)
        snprintf(reason, sizeof reason, "%s",
                 refused == SCREE_E_MEMORY ? "it claims to hold more than it can" : "the HDF5 library refuses it");
    else if (WIFSIGNALED(how) && WTERMSIG(how) == SIGXCPU)
        snprintf(reason, sizeof reason, "the reader took too long");
    else if (WIFSIGNALED(how) && WTERMSIG(how) != SIGKILL)
        snprintf(reason, sizeof reason, "the reader was ended by signal %d", WTERMSIG(how));
    snprintf(why, SCR_H5_WHY, "cannot be read%s: %s", status == SCREE_E_MEMORY ? "" : ", it is damaged or forged",
             reason);
}

// one attempt with the child there is
static scree_status attempt(scr_h5_reader *r, int fd, uint64_t size, scr_h5_catalogue *c, char *why)
{
    char *bytes = NULL;
    size_t length = 0;
    uint64_t refused = 0;
    scree_status status =
        ask(r, fd, size) ? collect(r, scr_h5_catalogue_limit(size), &bytes, &length, &refused) : SCREE_E_INPUT;
    if (status)
        free(bytes);
    else
        status = scr_h5_catalogue_init(c, bytes, length);
    if (!status) return SCREE_OK;
    scr_h5_reader_end(r);
    explain(why, status, refused, r->how);
    return status;
}

scree_status scr_h5_survey(scr_h5_reader *r, int fd, uint64_t size, scr_h5_catalogue *c, char *why)
{
    bool fits = r->pid && r->owner == getpid() && r->served < SERVED && size <= r->size;
    // a file is blamed only for what it does to a fresh child
    if (fits && !attempt(r, fd, size, c, why)) return SCREE_OK;
    // room for frames that are larger than this one
    if (start(r, 2 * (size > LEAST ? size : LEAST))) return attempt(r, fd, size, c, why);
    snprintf(why, SCR_H5_WHY, "cannot be read: no process can be started for it: %s", strerror(errno));
    return SCREE_E_RUN;
}
