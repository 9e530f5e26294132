#include "view/server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "base/os.h"
#include "view/answers.h"
#include "view/bundle.h"
#include "view/connections.h"

/* ---- requests ---- */

// pages of this machine may show the viewer within them, as notebooks do; no others
static const char *const headers[][2] = {
    {"Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
                                "connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; "
                                "frame-ancestors 'self' http://localhost:* http://127.0.0.1:* https://localhost:* "
                                "https://127.0.0.1:*"},
    {"X-Content-Type-Options", "nosniff"},
    {"Referrer-Policy", "no-referrer"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    // kept, but asked for each time whether it is still the same
    {"Cache-Control", "private, no-cache"},
};

// this machine, under whatever port: it may be reached through a tunnel
static bool is_ours(const char *host)
{
    static const char *const names[] = {"127.0.0.1", "localhost"};
    for (int k = 0; host && k < 2; k++) {
        size_t length = strlen(names[k]);
        if (!strncmp(host, names[k], length) && (!host[length] || host[length] == ':')) return true;
    }
    return false;
}

static scr_answer refusal(int status, const char *text)
{
    return (scr_answer){
        .status = status, .type = "text/plain; charset=utf-8", .data = (unsigned char *)text, .size = strlen(text)};
}

/* What requests are answered with. */
typedef struct {
    scr_viewer viewers[2];
    int viewer_count;
    scr_connections connections;
} service;

static scr_connection *place_of(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

static void on_connection(void *context, struct MHD_Connection *connection, void **place,
                          enum MHD_ConnectionNotificationCode what)
{
    service *s = context;
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    if (what == MHD_CONNECTION_NOTIFY_STARTED && info) *place = scr_connections_add(&s->connections, info->connect_fd);
    if (what == MHD_CONNECTION_NOTIFY_CLOSED) scr_connections_remove(&s->connections, *place);
}

static void on_completed(void *context, struct MHD_Connection *connection, void **request,
                         enum MHD_RequestTerminationCode why)
{
    (void)request, (void)why;
    scr_connections_await(&((service *)context)->connections, place_of(connection));
}

static enum MHD_Result send_answer(struct MHD_Connection *connection, const scr_answer *answer)
{
    struct MHD_Response *response = MHD_create_response_from_buffer(
        answer->size, answer->data, answer->owned ? MHD_RESPMEM_MUST_FREE : MHD_RESPMEM_PERSISTENT);
    if (!response) {
        if (answer->owned) free(answer->data);
        return MHD_NO;
    }
    for (size_t k = 0; k < sizeof headers / sizeof *headers; k++)
        MHD_add_response_header(response, headers[k][0], headers[k][1]);
    if (answer->type) MHD_add_response_header(response, "Content-Type", answer->type);
    if (*answer->tag) MHD_add_response_header(response, "ETag", answer->tag);
    if (answer->status == 405) MHD_add_response_header(response, "Allow", "GET, HEAD");
    enum MHD_Result sent = MHD_queue_response(connection, (unsigned)answer->status, response);
    MHD_destroy_response(response);
    return sent;
}

// of two runs those below /1/ and /2/, and the first for the page around both
static scr_viewer *viewer_of(service *s, const char **path)
{
    bool below = s->viewer_count > 1 && (!strncmp(*path, "/1/", 3) || !strncmp(*path, "/2/", 3));
    if (!below) return &s->viewers[0];
    *path += 2;
    return &s->viewers[(*path)[-1] - '1'];
}

static enum MHD_Result on_request(void *context, struct MHD_Connection *connection, const char *url, const char *method,
                                  const char *version, const char *upload, size_t *upload_size, void **request)
{
    (void)version, (void)upload;
    // the first call has only the headers: to answer there would end the connection
    if (!*request) {
        *request = connection;
        return MHD_YES;
    }
    if (*upload_size) {
        *upload_size = 0; // nothing is taken
        return MHD_YES;
    }
    service *s = context;
    const char *host = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Host");
    scr_answer answer;
    if (strcmp(method, "GET") && strcmp(method, "HEAD")) {
        answer = refusal(405, "only GET and HEAD\n");
    } else if (!is_ours(host)) {
        answer = refusal(403, "this server answers on 127.0.0.1 and localhost only\n");
    } else {
        scr_question question = {.path = url,
                                 .by = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "by"),
                                 .warp = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "warp"),
                                 .inside = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "inside"),
                                 .known = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "If-None-Match")};
        scr_viewer *viewer = viewer_of(s, &question.path);
        answer = scr_viewer_answer(viewer, &question);
    }
    scr_connections_send(&s->connections, place_of(connection), answer.size);
    return send_answer(connection, &answer);
}

/* ---- the browser ---- */

// whether a program of this name is on the path
static bool has_program(const char *name)
{
    const char *path = getenv("PATH");
    char *all = path ? strdup(path) : NULL, *rest = NULL;
    bool found = false;
    for (char *p = all ? strtok_r(all, ":", &rest) : NULL; p && !found; p = strtok_r(NULL, ":", &rest)) {
        char file[4096];
        snprintf(file, sizeof file, "%s/%s", p, name);
        found = !access(file, X_OK);
    }
    free(all);
    return found;
}

// without a screen there is no browser; it is a grandchild, so that it need not be waited for
static void open_browser(const char *address)
{
    bool screen = getenv("DISPLAY") || getenv("WAYLAND_DISPLAY");
    if (!screen || !has_program("xdg-open")) return;
    pid_t child = fork();
    if (child == 0) {
        if (fork()) _exit(0);
        int null = open("/dev/null", O_RDWR);
        if (null >= 0) dup2(null, 0), dup2(null, 1), dup2(null, 2);
        setsid();
        execlp("xdg-open", "xdg-open", address, (char *)NULL);
        _exit(1);
    }
    if (child > 0) waitpid(child, NULL, 0);
}

/* ---- the server ---- */

static void wait_for_signal(service *s)
{
    while (!scr_signal_pending()) {
        nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
        scr_connections_sweep(&s->connections);
    }
}

static scree_status serve(const scree_view_def *def, service *s, scree_report *report)
{
    struct sockaddr_in at = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)def->port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    errno = 0;
    struct MHD_Daemon *daemon = MHD_start_daemon(
        MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_AUTO | MHD_USE_ITC, (uint16_t)def->port, NULL, NULL, on_request, s,
        MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&at,
        // connections that never ask, or ask and read slowly, must not keep others out for long
        MHD_OPTION_NOTIFY_CONNECTION, on_connection, s, MHD_OPTION_NOTIFY_COMPLETED, on_completed, s,
        MHD_OPTION_CONNECTION_TIMEOUT, 15u, MHD_OPTION_CONNECTION_LIMIT, (unsigned)SCR_CONNECTIONS, MHD_OPTION_END);
    const union MHD_DaemonInfo *info = daemon ? MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT) : NULL;
    if (!info) {
        if (daemon) MHD_stop_daemon(daemon);
        return scr_fail(report, SCREE_E_IO, SCR_NOWHERE, "cannot listen on 127.0.0.1, port %d: %s", def->port,
                        errno ? strerror(errno) : "no reason was given");
    }
    char address[64];
    snprintf(address, sizeof address, "http://127.0.0.1:%u/", info->port);
    if (def->out && (fprintf(def->out, "%s\n", address) < 0 || fflush(def->out))) {
        MHD_stop_daemon(daemon);
        return scr_fail(report, SCREE_E_IO, SCR_NOWHERE, "the address %s cannot be written: %s", address,
                        strerror(errno));
    }
    scr_say("the viewer is at this address until Ctrl-C");
    if (def->open) open_browser(address);
    wait_for_signal(s);
    MHD_stop_daemon(daemon);
    return SCREE_OK;
}

static void viewers_close(service *s)
{
    while (s->viewer_count) scr_viewer_close(&s->viewers[--s->viewer_count]);
}

static scree_status viewers_open(service *s, const scree_view_def *def, scree_report *report)
{
    const char *paths[] = {def->results, def->beside};
    scree_status status = SCREE_OK;
    s->viewer_count = 0;
    for (int k = 0; k < 2 && paths[k] && !status; k++) {
        status = scr_viewer_open(&s->viewers[k], paths[k], report);
        if (!status) s->viewer_count++;
    }
    if (!status) s->viewers[0].beside = def->beside;
    if (status) viewers_close(s);
    return status;
}

scree_status scr_view_serve(const scree_view_def *def, scree_report *report)
{
    service s;
    if (scr_bundle[0].data == scr_bundle[0].end)
        return scr_fail(report, SCREE_E_RUN, SCR_NOWHERE,
                        "this program was built without the viewer, because npm was missing or failed; install npm "
                        "with tools/setup and build again");
    scree_status status = viewers_open(&s, def, report);
    if (status) return status;
    scr_connections_init(&s.connections, def->patience);
    scr_signals_catch();
    status = serve(def, &s, report);
    scr_signals_release();
    scr_connections_deinit(&s.connections);
    viewers_close(&s);
    return status;
}
