#include "study/pool.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.h"
#include "base/memory.h"
#include "base/os.h"
#include "scree/scree.h"

#define JOBS  256
#define GRACE 60 /* [s] for runs that are stopped to write their checkpoints */

typedef struct {
    pid_t pid; /* 0: free */
    int task, pipe;
    char *answer;
    size_t length;
} child;

typedef struct {
    const scr_pool_def *def;
    child children[JOBS];
    int jobs, next, done, running;
    double start, said;
    bool terminal;
    scree_report *report;
} pool;

scree_status scr_pool_check_ranks(scree_report *report)
{
    if (scree_ranks() == 1) return SCREE_OK;
    return scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE,
                    "sweeps and cases run on one rank, not on %d: start without mpirun (all cores are used)",
                    scree_ranks());
}

int scr_pool_cores(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set)) return 1;
    int count = CPU_COUNT(&set);
    return count < 1 ? 1 : count > JOBS ? JOBS : count;
}

/* ---- progress ---- */

static void clock_text(double seconds, char *text, size_t size)
{
    long s = (long)(seconds + 0.5);
    if (s < 3600)
        snprintf(text, size, "%ld:%02ld", s / 60, s % 60);
    else
        snprintf(text, size, "%ld:%02ld h", s / 3600, s / 60 % 60);
}

// a line that is written over on a terminal, one now and then elsewhere
static void show(pool *p, bool end)
{
    double now = scr_seconds(), every = p->terminal ? 0.2 : 20;
    if (p->def->quiet || (!end && now - p->said < every)) return;
    if (end && !p->terminal) return;
    p->said = now;
    double rate = p->done / (now - p->start + 1e-9);
    char left[32] = "-";
    if (p->done) clock_text((p->def->count - p->done) / rate, left, sizeof left);
    fprintf(stderr, "%s%d of %d %s, %.3g/s, %s left%s", p->terminal ? "\r\033[K" : "", p->done, p->def->count,
            p->def->noun, rate, left, p->terminal ? "" : "\n");
    if (end) fprintf(stderr, "\r\033[K");
    fflush(stderr);
}

/* ---- children ---- */

static void write_all(int file, const char *data, size_t length)
{
    while (length) {
        ssize_t n = write(file, data, length);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return;
        data += n, length -= (size_t)n;
    }
}

static void child_main(const scr_pool_def *def, int task, int out, pid_t parent)
{
    // gone with its parent, even if that is killed
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
    // a run catches signals itself as soon as there is something to keep
    scr_signals_release();
    scr_log_quiet(true);
    char *answer = calloc(1, SCR_POOL_ANSWER);
    if (!answer) _exit(1);
    def->work(def->context, task, answer, SCR_POOL_ANSWER);
    write_all(out, answer, strlen(answer) + 1);
    _exit(0);
}

static scree_status start(pool *p)
{
    child *c = p->children;
    while (c->pid) c++;
    int ends[2];
    if (!c->answer) c->answer = malloc(SCR_POOL_ANSWER);
    if (!c->answer || pipe(ends))
        return scr_fail(p->report, SCREE_E_RUN, SCR_NOWHERE, "cannot start a process: %s", strerror(errno));
    fflush(stdout), fflush(stderr);
    pid_t parent = getpid(), pid = fork();
    if (pid == 0) {
        close(ends[0]);
        child_main(p->def, p->next, ends[1], parent);
    }
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return scr_fail(p->report, SCREE_E_RUN, SCR_NOWHERE, "cannot start a process: %s", strerror(errno));
    }
    *c = (child){.pid = pid, .task = p->next++, .pipe = ends[0], .answer = c->answer};
    p->running++;
    return SCREE_OK;
}

static void wait_for(child *c, int *how)
{
    while (waitpid(c->pid, how, 0) < 0 && errno == EINTR) continue;
    close(c->pipe);
    c->pid = 0;
}

// the child has closed its end: hand over its answer
static scree_status finish(pool *p, child *c)
{
    int how = 0;
    wait_for(c, &how);
    p->running--, p->done++;
    char died[120] = "";
    bool whole = c->length && !c->answer[c->length - 1];
    if (WIFSIGNALED(how))
        snprintf(died, sizeof died, "the run was ended by signal %d (%s)", WTERMSIG(how), strsignal(WTERMSIG(how)));
    else if (WEXITSTATUS(how) || !whole)
        snprintf(died, sizeof died, "the run ended without an answer (exit code %d)", WEXITSTATUS(how));
    return p->def->take(p->def->context, c->task, *died ? NULL : c->answer, *died ? died : NULL, p->report);
}

static scree_status listen_to(pool *p, child *c)
{
    size_t room = SCR_POOL_ANSWER - c->length;
    ssize_t n = room ? read(c->pipe, c->answer + c->length, room) : 0;
    if (n < 0) return errno == EINTR || errno == EAGAIN ? SCREE_OK : finish(p, c);
    if (n == 0) return finish(p, c);
    c->length += (size_t)n;
    return SCREE_OK;
}

// waits a moment for any child to speak
static scree_status attend(pool *p)
{
    struct pollfd files[JOBS];
    child *who[JOBS];
    nfds_t count = 0;
    for (int k = 0; k < p->jobs; k++) {
        if (!p->children[k].pid) continue;
        who[count] = &p->children[k];
        files[count++] = (struct pollfd){.fd = p->children[k].pipe, .events = POLLIN};
    }
    scree_status status = SCREE_OK;
    if (poll(files, count, 200) > 0)
        for (nfds_t k = 0; k < count && !status; k++)
            if (files[k].revents) status = listen_to(p, who[k]);
    return status;
}

static void signal_children(const pool *p, int number)
{
    for (int k = 0; k < p->jobs; k++)
        if (p->children[k].pid) kill(p->children[k].pid, number);
}

// their answers are not wanted any more, their checkpoints are
static void end_children(pool *p)
{
    double until = scr_seconds() + GRACE;
    signal_children(p, SIGTERM);
    for (int left = p->running, how; left && scr_seconds() < until; usleep(10000)) {
        left = 0;
        for (int k = 0; k < p->jobs; k++) {
            child *c = &p->children[k];
            if (c->pid && waitpid(c->pid, &how, WNOHANG) == c->pid) close(c->pipe), c->pid = 0;
            left += c->pid != 0;
        }
    }
    signal_children(p, SIGKILL);
    for (int k = 0, how; k < p->jobs; k++)
        if (p->children[k].pid) wait_for(&p->children[k], &how);
}

scree_status scr_pool_run(const scr_pool_def *def, int *signal_number, scree_report *report)
{
    pool *p = calloc(1, sizeof *p);
    if (!p) return scr_no_memory(report, "runs");
    p->def = def, p->report = report;
    p->jobs = def->jobs > 0 ? def->jobs : scr_pool_cores();
    if (p->jobs > JOBS) p->jobs = JOBS;
    p->start = p->said = scr_seconds();
    p->terminal = isatty(STDERR_FILENO);
    *signal_number = 0;
    scr_signals_catch();
    scree_status status = SCREE_OK;
    while (!status && p->done < def->count) {
        while (!status && p->running < p->jobs && p->next < def->count) status = start(p);
        if (!status) status = attend(p);
        show(p, false);
        *signal_number = scr_signal_pending();
        if (!status && *signal_number) status = SCREE_E_INTERRUPT;
    }
    end_children(p);
    show(p, true);
    scr_signals_release();
    for (int k = 0; k < JOBS; k++) free(p->children[k].answer);
    free(p);
    return status;
}
