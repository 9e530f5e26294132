#include "base/sandbox.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined __x86_64__
#    define MACHINE AUDIT_ARCH_X86_64
#elif defined __aarch64__
#    define MACHINE AUDIT_ARCH_AARCH64
#else
#    define MACHINE 0 // no filter: numbers of system calls are the machine's own
#endif

#ifdef __has_feature // clang's way to say what gcc says with a macro
#    define HAS(sanitizer) __has_feature(sanitizer)
#else
#    define HAS(sanitizer) 0
#endif
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__ || HAS(address_sanitizer) || HAS(thread_sanitizer)
#    define MAPS_ARE_BOUNDED false
#else
#    define MAPS_ARE_BOUNDED true
#endif

/* ---- the filter ---- */

#define LOAD(member)        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#define RETURN(what)        BPF_STMT(BPF_RET | BPF_K, what)
#define UNLESS(value, skip) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skip)
#define ALLOW(name)         UNLESS(__NR_##name, 1), RETURN(SECCOMP_RET_ALLOW)
// memory, but none that can be executed; the protection is the third argument
#define ALLOW_DATA(name)                                                                          \
    UNLESS(__NR_##name, 4), LOAD(args[2]), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 1, 0), \
        RETURN(SECCOMP_RET_ALLOW), REFUSE
#define REFUSE RETURN(SECCOMP_RET_ERRNO | 1 /* EPERM */)

// whatever is not allowed fails as if the user had no right to it
static const struct sock_filter rules[] = {
    LOAD(arch),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MACHINE, 1, 0),
    RETURN(SECCOMP_RET_KILL_PROCESS),
    LOAD(nr),
    ALLOW(read),
    ALLOW(pread64),
    ALLOW(write),
    ALLOW(recvmsg),
    ALLOW(close),
    ALLOW(brk),
    ALLOW_DATA(mmap),
    ALLOW_DATA(mprotect),
    ALLOW(munmap),
    ALLOW(mremap),
    ALLOW(madvise),
    ALLOW(futex),
    ALLOW(sched_yield),
    ALLOW(clock_gettime),
    ALLOW(rt_sigprocmask),
    ALLOW(rt_sigreturn),
    ALLOW(restart_syscall),
    ALLOW(gettid), // sanitizers need these two
    ALLOW(sigaltstack),
    ALLOW(exit),
    ALLOW(exit_group),
    REFUSE,
};

static bool filter_set(void)
{
    struct sock_fprog program = {sizeof rules / sizeof *rules, (struct sock_filter *)rules};
    return MACHINE && !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) && !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

/* ---- the rest ---- */

// the parent's handlers mean nothing here; whether to stop is the parent's to decide
static void signals_set(void)
{
    static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    for (int k = 1; k < NSIG; k++) signal(k, SIG_DFL);
    for (int k = 0; k < 4; k++) signal(ignored[k], SIG_IGN);
}

static void close_from_to(unsigned first, unsigned last)
{
    if (first > last || !syscall(SYS_close_range, first, last, 0)) return;
    // kernels before 5.9
    long most = sysconf(_SC_OPEN_MAX);
    if (last > 65536) last = most > 0 && most < 65536 ? (unsigned)most : 65536;
    for (unsigned k = first; k <= last; k++) close((int)k);
}

// bytes of address space in use
static uint64_t mapped(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%lu", &pages) != 1) pages = 0;
    if (file) fclose(file);
    return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static bool limit(int resource, uint64_t value)
{
    struct rlimit now;
    if (getrlimit(resource, &now)) return false;
    if (value > now.rlim_max) value = now.rlim_max;
    // a process may be given more time by its parent
    uint64_t most = resource == RLIMIT_CPU ? now.rlim_max : value;
    return !setrlimit(resource, &(struct rlimit){value, most});
}

static bool limits_set(const scr_sandbox_def *def)
{
    uint64_t maps = mapped();
    bool bounded = !MAPS_ARE_BOUNDED || !maps || limit(RLIMIT_AS, maps + def->memory);
    // no new files and processes, also where there is no filter; what comes through the socket is 0
    return bounded && limit(RLIMIT_CPU, def->seconds) && limit(RLIMIT_CORE, 0) && limit(RLIMIT_FSIZE, 0) &&
           limit(RLIMIT_NPROC, 0) && limit(RLIMIT_NOFILE, 1);
}

bool scr_sandbox_enter(const scr_sandbox_def *def)
{
    signals_set();
    // if the parent is gone, the child ends too
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != def->parent) _exit(1);
    if (def->socket < 1 || !limits_set(def)) _exit(1);
    close_from_to(0, (unsigned)def->socket - 1);
    close_from_to((unsigned)def->socket + 1, ~0u);
    return filter_set();
}
