#include "show/movie.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/os.h"
#include "show/markup.h"

extern char **environ;

#define COUNT(array) (sizeof(array) / sizeof *(array))

#define MARK "made-by-scree"

/* What is made of the pictures; crf 18 is as good as one can see. */
static const char *const encoder[] = {"-an",
                                      "-vf",
                                      "scale=out_color_matrix=bt709",
                                      "-c:v",
                                      "libx264",
                                      "-crf",
                                      "18",
                                      "-pix_fmt",
                                      "yuv420p",
                                      "-colorspace",
                                      "bt709",
                                      "-color_trc",
                                      "bt709",
                                      "-color_primaries",
                                      "bt709",
                                      "-metadata",
                                      ("comment=" MARK),
                                      "-movflags",
                                      "+faststart"};

struct scr_movie {
    char *path;
    char *url;       /* file:PATH.part: ffmpeg takes a: in a name for a protocol */
    char *temporary; /* PATH.part in it */
    size_t bytes;    /* of a picture */
    pid_t child;
    int pipe;
    FILE *said; /* what ffmpeg writes to its stderr */
};

static const struct {
    const char *ending, *format;
} formats[] = {{".mp4", "mp4"}, {".mov", "mov"}, {".mkv", "matroska"}};

static const char *format_of(const char *path)
{
    size_t length = strlen(path);
    for (size_t k = 0; k < COUNT(formats); k++)
        if (length > 4 && !strcmp(path + length - 4, formats[k].ending)) return formats[k].format;
    return NULL;
}

static bool is_movie(const char *head, size_t size)
{
    return scr_bytes_hold(head, size, MARK);
}

// the comment of an mp4 stands behind its table of pictures
const scr_output_kind scr_movie_kind = {.what = "a movie by Scree", .is = is_movie, .reach = (size_t)1 << 24};

bool scr_movie_path_ok(const char *path)
{
    return format_of(path) != NULL;
}

/* ---- the child ---- */

// reads `in`, speaks to `said`; in a group of its own, so that Ctrl-C reaches us alone. 0 or an error number
static int start(char *const argv[], int in, int said, pid_t *child)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, said, STDERR_FILENO);
    sigset_t plain;
    sigemptyset(&plain);
    sigaddset(&plain, SIGPIPE), sigaddset(&plain, SIGXFSZ);
    posix_spawnattr_setsigdefault(&attributes, &plain);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    int error = posix_spawnp(child, argv[0], &actions, &attributes, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return error;
}

static int launch(scr_movie *f, int width, int height, double fps, const char *format)
{
    char size[32], rate[32];
    snprintf(size, sizeof size, "%dx%d", width, height);
    snprintf(rate, sizeof rate, "%.6g", fps);
    const char *input[] = {"ffmpeg", "-hide_banner", "-loglevel", "error",      "-y", "-f", "rawvideo", "-pix_fmt",
                           "rgb24",  "-s",           size,        "-framerate", rate, "-i", "pipe:0"};
    const char *argv[COUNT(input) + COUNT(encoder) + 4];
    memcpy(argv, input, sizeof input);
    memcpy(argv + COUNT(input), encoder, sizeof encoder);
    const char *const output[] = {"-f", format, f->url, NULL};
    memcpy(argv + COUNT(input) + COUNT(encoder), output, sizeof output);
    int ends[2];
    if (pipe2(ends, O_CLOEXEC)) return errno;
    int error = start((char *const *)argv, ends[0], fileno(f->said), &f->child);
    close(ends[0]);
    if (error)
        close(ends[1]);
    else
        f->pipe = ends[1], fcntl(ends[1], F_SETFL, O_NONBLOCK);
    return error;
}

// the last line that ffmpeg said
static void last_words(scr_movie *f, char *text, size_t size)
{
    char line[256];
    snprintf(text, size, "it gave no reason");
    rewind(f->said);
    while (fgets(line, sizeof line, f->said)) {
        line[strcspn(line, "\r\n")] = 0;
        if (*line) snprintf(text, size, "%s", line);
    }
}

// its exit code, -1 when a signal ended it; a signal to us ends it
static int await(scr_movie *f)
{
    int state;
    pid_t ended;
    if (f->pipe >= 0) close(f->pipe);
    f->pipe = -1;
    while (!(ended = waitpid(f->child, &state, WNOHANG)) || (ended < 0 && errno == EINTR)) {
        if (scr_signal_pending()) kill(f->child, SIGKILL);
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    }
    bool known = ended == f->child && WIFEXITED(state);
    f->child = 0;
    return known ? WEXITSTATUS(state) : -1;
}

/* ---- the movie ---- */

static void movie_free(scr_movie *f)
{
    if (f->said) fclose(f->said);
    free(f->url);
    free(f->path);
    free(f);
}

static scr_movie *movie_new(const char *path)
{
    scr_movie *f = calloc(1, sizeof *f);
    if (!f) return NULL;
    size_t room = strlen(path) + 12;
    f->pipe = -1;
    f->path = strdup(path), f->url = malloc(room), f->said = tmpfile();
    if (!f->path || !f->url || !f->said) {
        movie_free(f);
        return NULL;
    }
    snprintf(f->url, room, "file:%s.part", path);
    f->temporary = f->url + strlen("file:");
    fcntl(fileno(f->said), F_SETFD, FD_CLOEXEC);
    return f;
}

scree_status scr_movie_open(const char *path, int width, int height, double fps, scr_movie **movie,
                            scree_report *report)
{
    scree_place at = {.file = path};
    *movie = NULL;
    scr_movie *f = movie_new(path);
    if (!f) return scr_no_memory_in(report, path, "a movie");
    // known before the first picture is drawn, and in our words
    int fd = open(f->temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
    scree_status status = SCREE_OK;
    if (fd < 0) {
        status = scr_fail(report, SCREE_E_IO, at, "cannot be written: %s", strerror(errno));
    } else {
        close(fd);
        f->bytes = 3 * (size_t)width * (size_t)height;
        int error = launch(f, width, height, fps, format_of(path));
        if (error) unlink(f->temporary);
        if (error && error != ENOENT)
            status = scr_fail(report, SCREE_E_IO, at, "ffmpeg cannot be started: %s", strerror(error));
        if (!error) *movie = f;
    }
    if (!*movie) movie_free(f);
    return status;
}

scree_status scr_movie_add(scr_movie *f, const uint8_t *rgb, scree_report *report)
{
    for (size_t done = 0; done < f->bytes;) {
        // a signal must not wait for ffmpeg
        if (scr_signal_pending()) return SCREE_E_INTERRUPT;
        struct pollfd ready = {.fd = f->pipe, .events = POLLOUT};
        if (poll(&ready, 1, 200) <= 0) continue;
        ssize_t n = write(f->pipe, rgb + done, f->bytes - done);
        if (n > 0) {
            done += (size_t)n;
        } else if (errno != EINTR && errno != EAGAIN) {
            char why[300];
            await(f);
            if (scr_signal_pending()) return SCREE_E_INTERRUPT;
            last_words(f, why, sizeof why);
            return scr_fail(report, SCREE_E_IO, (scree_place){.file = f->path}, "ffmpeg does not accept the images: %s",
                            why);
        }
    }
    return SCREE_OK;
}

scree_status scr_movie_close(scr_movie *f, bool keep, scree_report *report)
{
    scree_status status = SCREE_OK;
    if (f->child && !keep) kill(f->child, SIGKILL);
    int code = f->child ? await(f) : -1;
    if (keep && code && scr_signal_pending()) {
        status = SCREE_E_INTERRUPT;
    } else if (keep && code) {
        char why[300];
        last_words(f, why, sizeof why);
        status = scr_fail(report, SCREE_E_IO, (scree_place){.file = f->path}, "ffmpeg has failed: %s", why);
    }
    if (keep && !status) status = scr_file_replace(f->temporary, f->path, report);
    if (!keep || status) unlink(f->temporary);
    movie_free(f);
    return status;
}

/* ---- without ffmpeg ---- */

// a name that ffmpeg would take for an option or a protocol is told to be a file's
static void put_file(FILE *out, const char *path)
{
    if (*path == '-' || strchr(path, ':')) fputs("file:", out);
    scr_shell_write(out, path);
}

void scr_movie_command(FILE *out, const char *pattern, double fps, const char *path)
{
    fprintf(out, "ffmpeg -framerate %.6g -i ", fps);
    put_file(out, pattern);
    for (size_t k = 0; k < COUNT(encoder); k++) fprintf(out, " %s", encoder[k]);
    fputc(' ', out);
    put_file(out, path);
    fputc('\n', out);
}
