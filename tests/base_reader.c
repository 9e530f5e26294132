/* The child that reads HDF5 files: what it may not do, what it says of a file, and that nothing it could
 * say does harm. */
#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/h5_reader.h"
#include "base/sandbox.h"

#define FOLDER "folder_base_reader"
#define PATH   FOLDER "/a.h5"

/* ---- rights ---- */

// what a child in the sandbox could do, a bit each
enum {
    FILTER = 1,
    OPENED = 2,
    CONNECTED = 4,
    FORKED = 8,
    SIGNALLED = 16,
    EXECUTABLE = 32,
    SHOUTED = 64,
    RAISED = 128,
};

static unsigned rights(int socket, int other)
{
    unsigned can = scr_sandbox_enter(&(scr_sandbox_def){getppid(), socket, 1 << 28, 5}) ? FILTER : 0;
    if (open("/dev/null", O_RDONLY) >= 0) can |= OPENED;
    if (can & OPENED && open("/dev/null", O_RDONLY) < 0) can &= ~(unsigned)OPENED; // one may come
    if (write(other, "x", 1) > 0 || write(2, "x", 1) > 0) can |= SHOUTED;
    // the rest is the filter's
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, (int[2]){0}) == 0 || errno != EPERM) can |= CONNECTED;
    pid_t pid = fork();
    if (pid == 0) _exit(0);
    if (pid > 0) can |= FORKED;
    if (kill(getppid(), 0) == 0) can |= SIGNALLED;
    if (mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED) can |= EXECUTABLE;
    void *data = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (data == MAP_FAILED || mprotect(data, 4096, PROT_READ | PROT_EXEC) == 0) can |= EXECUTABLE;
    struct rlimit more = {600, 600};
    if (setrlimit(RLIMIT_CPU, &more) == 0) can |= RAISED;
    return can;
}

static void sandbox(void)
{
    int ends[2], other = open(FOLDER "/other", O_RDWR | O_CREAT, 0666);
    unsigned can = ~0u;
    struct stat info;
    CHECK(!socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
    pid_t pid = fork();
    if (pid == 0) {
        unsigned answer = rights(ends[1], other);
        _exit(write(ends[1], &answer, sizeof answer) != sizeof answer);
    }
    close(ends[1]);
    CHECK(read(ends[0], &can, sizeof can) == sizeof can);
    CHECK(waitpid(pid, NULL, 0) == pid);
    CHECK(!(can & (OPENED | SHOUTED)));
    if (can & FILTER)
        CHECK_INT(can, FILTER);
    else
        printf("this machine has no filter of system calls: limits alone are in force\n");
    CHECK(!fstat(other, &info) && info.st_size == 0);
    close(other), close(ends[0]);
}

// a child that does this in a sandbox of one second and 64 MiB ends by this signal or exit code
static void ends(void (*act)(void), int want_signal, int want_code)
{
    int pair[2], how = 0;
    CHECK(!socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
    pid_t pid = fork();
    if (pid == 0) {
        scr_sandbox_enter(&(scr_sandbox_def){getppid(), pair[1], 1 << 26, 1});
        act();
        _exit(0);
    }
    CHECK(waitpid(pid, &how, 0) == pid);
    CHECK_INT(WIFSIGNALED(how) ? WTERMSIG(how) : 0, want_signal);
    CHECK_INT(WIFEXITED(how) ? WEXITSTATUS(how) : 0, want_code);
    close(pair[0]), close(pair[1]);
}

static void loop(void)
{
    for (volatile unsigned k = 0;; k++) continue;
}

static void crash(void)
{
    static int *volatile nowhere = NULL;
    *nowhere = 1;
}

static void hoard(void)
{
    size_t got = 0;
    for (; got < 1024 && malloc(1 << 20); got++) continue;
    _exit(got > 0 && got <= 64 ? 7 : 1);
}

// a child outlives the thread that started it, or a parent that was killed, in no state
static void orphans(void)
{
    int pair[2];
    char byte;
    CHECK(!pipe(pair));
    pid_t parent = fork();
    if (parent == 0) {
        pid_t here = getpid();
        if (fork() == 0) {
            scr_sandbox_enter(&(scr_sandbox_def){here, pair[1], 1 << 26, 60});
            loop();
        }
        close(pair[1]);
        pause();
    }
    close(pair[1]);
    kill(parent, SIGKILL);
    CHECK(waitpid(parent, NULL, 0) == parent);
    CHECK_INT(read(pair[0], &byte, 1), 0); // the last one who could write is gone
    close(pair[0]);
}

static void limits(void)
{
    ends(loop, SIGXCPU, 0);
#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
    ends(crash, SIGSEGV, 0);
    ends(hoard, 0, 7);
#else
    (void)crash, (void)hoard;
#endif
}

/* ---- catalogues ---- */

static size_t put(char *to, scr_h5_record is, const char *name, const void *payload)
{
    is.name_size = (uint32_t)strlen(name);
    memcpy(to, &is, sizeof is);
    memcpy(to + sizeof is, name, is.name_size + 1);
    if (is.size) memcpy(to + sizeof is + is.name_size + 1, payload, (size_t)is.size);
    return sizeof is + is.name_size + 1 + (size_t)is.size;
}

static size_t sample(char *to)
{
    size_t n = put(to, (scr_h5_record){.kind = SCR_H5_IS_GROUP}, "", NULL);
    n += put(to + n, (scr_h5_record){.kind = SCR_H5_IS_ATTRIBUTE, .type = SCR_H5_F64, .rows = 1, .size = 8}, "pi",
             &(double){3.14});
    n += put(to + n, (scr_h5_record){.kind = SCR_H5_IS_ATTRIBUTE, .type = SCR_H5_TEXT, .rows = 1, .size = 3}, "unit",
             "m\0");
    n += put(to + n, (scr_h5_record){.kind = SCR_H5_IS_SET, .rows = 3, .width = 2, .offset = 600}, "x", NULL);
    n += put(to + n, (scr_h5_record){.kind = SCR_H5_IS_TEXT, .size = 5}, "note", "some");
    n += put(to + n, (scr_h5_record){.kind = SCR_H5_IS_LINK, .size = 5}, "away", "b.h5");
    n += put(to + n, (scr_h5_record){.kind = SCR_H5_IS_SHARED, .size = 5}, "same", "b.h5");
    scr_h5_chunk chunks[] = {{600, 10, 1}, {610, 9, 0}};
    n += put(to + n, (scr_h5_record){.kind = SCR_H5_IS_SET, .rows = 3, .width = 1, .chunk = 2, .size = sizeof chunks},
             "y", chunks);
    return n;
}

static scree_status take(scr_h5_catalogue *c, const char *bytes, size_t size)
{
    char *copy = malloc(size + 1); // exactly, so that sanitizers see every step beyond it
    memcpy(copy, bytes, size);
    return scr_h5_catalogue_init(c, copy, size);
}

static void catalogues(void)
{
    char bytes[1024];
    scr_h5_catalogue c;
    size_t size = sample(bytes);
    // its text is said to be of 3 bytes and has its zero after one
    CHECK_INT(take(&c, bytes, size), SCREE_E_INPUT);
    size_t at = 2 * sizeof(scr_h5_record) + 1 + 3 + 8 + offsetof(scr_h5_record, size);
    bytes[at] = 2;
    memmove(bytes + at + 8 + 5 + 2, bytes + at + 8 + 5 + 3, size - at - 8 - 5 - 3), size--;
    CHECK_INT(take(&c, bytes, size), SCREE_OK);
    CHECK_INT(c.object_count, 6);
    CHECK_TEXT(scr_h5_attribute_find(&c, "/", "unit")->payload, "m");
    CHECK(scr_h5_attribute_find(&c, "/x", "unit") == NULL);
    CHECK(scr_h5_object_find(&c, "x") == scr_h5_object_find(&c, "/x"));
    CHECK(scr_h5_object_find(&c, "/z") == NULL);
    CHECK_INT(scr_h5_chunk_count(&scr_h5_object_find(&c, "/y")->is), 2);
    CHECK_TEXT(scr_h5_object_find(&c, "/away")->payload, "b.h5");
    scr_h5_catalogue_deinit(&c);
    // a part of it is a catalogue only where a record ends
    int whole = 0;
    for (size_t n = 0; n < size; n++) {
        whole += take(&c, bytes, n) == SCREE_OK;
        scr_h5_catalogue_deinit(&c);
    }
    CHECK_INT(whole, 8);
    // any other bytes are refused, or make something that can be asked
    unsigned seed = 7;
    for (int k = 0; k < 50000; k++) {
        char broken[1024];
        memcpy(broken, bytes, size);
        for (int n = 0; n <= k % 4; n++) {
            unsigned r = (seed = seed * 1103515245u + 12345u) >> 8, value = (seed * 69069u + 1) >> 24;
            broken[r % size] = (char)(k % 3 ? value : (unsigned)broken[r % size] ^ 1u << value % 8);
        }
        if (take(&c, broken, size)) continue;
        scr_h5_object_find(&c, "/away"), scr_h5_attribute_find(&c, "/", "unit");
        scr_h5_catalogue_deinit(&c);
    }
}

/* ---- files ---- */

static void file_write(const char *path, size_t rows, const char *title)
{
    scree_report report;
    scree_report_init(&report);
    scr_h5 *file = scr_h5_create(path, &report);
    int64_t *i64 = calloc(rows + 1, sizeof *i64);
    int32_t *i32 = calloc(rows + 1, sizeof *i32);
    uint8_t *u8 = calloc(rows + 1, 1);
    double *f64 = calloc(2 * rows + 1, sizeof *f64);
    for (size_t k = 0; k < rows; k++)
        i64[k] = -3 - (int64_t)k, i32[k] = 5 - (int)k, u8[k] = (uint8_t)(200 + k), f64[2 * k + 1] = 0.5 + (double)k;
    scr_h5_write(file, &(scr_h5_set){"/i64", SCR_H5_I64, 1, NULL, NULL}, rows, i64);
    scr_h5_write(file, &(scr_h5_set){"/i32", SCR_H5_I32, 1, NULL, NULL}, rows, i32);
    scr_h5_write(file, &(scr_h5_set){"/u8", SCR_H5_U8, 1, NULL, NULL}, rows, u8);
    scr_h5_write(file, &(scr_h5_set){"/in/f64", SCR_H5_F64, 2, "m", NULL}, rows, f64);
    scr_h5_write(file, &(scr_h5_set){"/in/none", SCR_H5_F64, 1, NULL, NULL}, 0, NULL);
    scr_h5_write_text(file, "/in/text", "two\nlines\x1b");
    scr_h5_write_link(file, "/out", "b.h5");
    scr_h5_group(file, "/inner");
    scr_h5_set_text(file, "/", "title", title);
    CHECK_INT(scr_h5_finish(file, "test", "", NULL), SCREE_OK);
    free(i64), free(i32), free(u8), free(f64);
    scree_report_deinit(&report);
}

static void numbers(void)
{
    enum { ROWS = 40000 }; // more than are converted at once
    scree_report report;
    scree_report_init(&report);
    file_write(PATH, ROWS, "\x1b]0;x\x07 title");
    scr_h5 *file = scr_h5_open(PATH, "test", NULL, &report);
    CHECK(file != NULL);
    double *x = malloc(2 * ROWS * sizeof *x);
    char *text;
    CHECK(!scr_h5_read_f64(file, "/i64", ROWS, 1, x) && x[0] == -3 && x[ROWS - 1] == -2.0 - ROWS);
    CHECK(!scr_h5_read_f64(file, "i32", ROWS, 1, x) && x[0] == 5 && x[ROWS - 1] == 6 - ROWS);
    CHECK(!scr_h5_read_f64(file, "/u8", ROWS, 1, x) && x[0] == 200 && x[56] == 0);
    CHECK(!scr_h5_read_f64(file, "/in/f64", ROWS, 2, x) && x[0] == 0 && x[2 * ROWS - 1] == ROWS - 0.5);
    CHECK(!scr_h5_read_f64(file, "/in/none", 0, 1, x));
    CHECK(!report.count);
    CHECK_INT(scr_h5_read_f64(file, "/in/f64", ROWS - 1, 2, x), SCREE_E_INPUT);
    CHECK_INT(scr_h5_read(file, &(scr_h5_set){"/u8", SCR_H5_I32, 1, NULL, NULL}, ROWS, x), SCREE_E_INPUT);
    // what people see of a file is tamed where it is read
    CHECK(!scr_h5_get_text(file, "/", "title", &text));
    CHECK_TEXT(text, "?]0;x? title");
    free(text);
    CHECK(!scr_h5_read_text(file, "/in/text", &text));
    CHECK_TEXT(text, "two\nlines?");
    free(text);
    free(x);
    scr_h5_close(file);
    scree_report_deinit(&report);
}

static void listings(void)
{
    scree_report report;
    scree_report_init(&report);
    scr_h5 *file = scr_h5_open(PATH, "test", NULL, &report);
    static const struct {
        const char *group;
        bool sets_only;
        const char *want;
    } cases[] = {
        {"/", false, "i32 i64 in inner out u8 "},
        {"/", true, "i32 i64 u8 "},
        {"/in", false, "f64 none text "},
        {"/inner", false, ""},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char **names, all[256] = "";
        int count;
        CHECK_INT(scr_h5_list(file, cases[k].group, cases[k].sets_only, &names, &count), SCREE_OK);
        for (int n = 0; n < count; n++) strcat(strcat(all, names[n]), " ");
        CHECK_TEXT(all, cases[k].want);
        free(names);
    }
    char **names;
    int count;
    CHECK_INT(scr_h5_list(file, "/u8", false, &names, &count), SCREE_E_INPUT);
    CHECK_INT(scr_h5_list(file, "/none", false, &names, &count), SCREE_E_INPUT);
    scr_h5_close(file);
    scree_report_deinit(&report);
}

/* ---- one child, many files ---- */

static bool opens(const char *path, scr_h5_reader *reader)
{
    scree_report report;
    scree_report_init(&report);
    scr_h5 *file = scr_h5_open(path, "test", reader, &report);
    scree_report_print(&report, stdout);
    scree_report_deinit(&report);
    scr_h5_close(file);
    return file != NULL;
}

static void many_files(void)
{
    scr_h5_reader reader = {0};
    file_write(PATH, 10, "small");
    CHECK(opens(PATH, &reader));
    int first = reader.pid;
    CHECK(opens(PATH, &reader) && reader.pid == first && reader.served == 2);
    // one that was killed meanwhile is replaced, and the file is not blamed
    kill(reader.pid, SIGKILL);
    CHECK(opens(PATH, &reader) && reader.pid != first && reader.served == 1);
    // another process has its own
    int how, here = reader.pid;
    pid_t pid = fork();
    if (pid == 0) {
        bool ok = opens(PATH, &reader) && reader.pid != here;
        scr_h5_reader_end(&reader);
        _exit(!ok);
    }
    CHECK(waitpid(pid, &how, 0) == pid && how == 0);
    CHECK(opens(PATH, &reader) && reader.pid == here);
    // and none lives for ever
    for (int k = 0; k < 100; k++) opens(PATH, &reader);
    CHECK(reader.pid != here);
    scr_h5_reader_end(&reader);
    CHECK(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD);
    // with signals of children ignored, as some parents leave it, nothing changes
    signal(SIGCHLD, SIG_IGN);
    CHECK(opens(PATH, NULL));
    signal(SIGCHLD, SIG_DFL);
}

int main(void)
{
    mkdir(FOLDER, 0777);
    sandbox();
    limits();
    orphans();
    catalogues();
    numbers();
    listings();
    many_files();
    return check_done();
}
