/* `scree run --view`: the viewer as a program of its own beside the run, because the reader of results and the run
 * cannot share one (HDF5 serves one thread). */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "viewer.h"

void app_viewer_start(void *context, const char *output)
{
    app_viewer *viewer = context;
    const char *arguments[7] = {"scree", "view", output};
    int count = 3;
    if (viewer->port) arguments[count++] = "--port", arguments[count++] = viewer->port;
    if (!viewer->open) arguments[count++] = "--no-open";
    pid_t parent = getpid();
    viewer->process = fork();
    if (viewer->process < 0)
        fprintf(stderr, "the viewer cannot be started: %s; `scree view %s` shows the run too\n", strerror(errno),
                output);
    if (viewer->process) return;
    // it ends with the run's process, whatever ends that
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() == parent) execv("/proc/self/exe", (char *const *)arguments);
    _exit(1);
}

void app_viewer_end(app_viewer *viewer, bool wait)
{
    if (viewer->process <= 0) return;
    fflush(stdout);
    if (wait)
        fprintf(stderr, "the run has ended; the viewer stays until Ctrl-C\n");
    else
        kill(viewer->process, SIGTERM);
    // Ctrl-C reaches both: the viewer ends, and so do we
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    sigaction(SIGINT, &ignore, &before);
    waitpid(viewer->process, NULL, 0);
    sigaction(SIGINT, &before, NULL);
    viewer->process = 0;
}
