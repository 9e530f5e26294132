/* `scree run --view`: the viewer as a program of its own beside the run, because the reader of results and the run
 * cannot share one (HDF5 serves one thread). */
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "viewer.h"

void app_viewer_start(void *context, const char *output)
{
    app_viewer *viewer = context;
    char *arguments[] = {"scree", "view", (char *)output, viewer->open ? NULL : "--no-open", NULL};
    pid_t parent = getpid();
    viewer->process = fork();
    if (viewer->process) return;
    // it ends with the run's process, whatever ends that
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() == parent) execv("/proc/self/exe", arguments);
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
