#include "browser.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE_MS = 600000, LOOK_MS = 50, ROOM = 8192 };

// ---------------------------------------------------------------------------------------------
// Programs.

static char *joined(const char *folder, size_t length, const char *name)
{
    size_t size = length + strlen(name) + 2;
    char *path = malloc(size);
    if (path) {
        snprintf(path, size, "%.*s/%s", (int)length, folder, name);
    }
    return path;
}

char *program_find(const char *const *names)
{
    const char *folders = getenv("PATH");
    for (; *names; names++) {
        for (const char *at = folders; at && *at;) {
            size_t length = strcspn(at, ":");
            char *path = joined(at, length, *names);
            if (path && access(path, X_OK) == 0) {
                return path;
            }
            free(path);
            at += length + (at[length] == ':');
        }
    }
    return NULL;
}

char *browser_find(void)
{
    static const char *const names[] = {"chromium", "chromium-browser", "google-chrome", "chrome",
                                        NULL};
    const char *given = getenv("CHROMIUM");
    if (given && access(given, X_OK) == 0) {
        return strdup(given);
    }
    return program_find(names);
}

// ---------------------------------------------------------------------------------------------
// Messages.

static bool send_all(int to, const char *text, size_t length)
{
    while (length > 0) {
        ssize_t sent = write(to, text, length);
        if (sent < 0 && errno == EINTR) {
            continue;
        }
        if (sent <= 0) {
            return false;
        }
        text += sent;
        length -= (size_t)sent;
    }
    return true;
}

static bool receive_some(browser *b)
{
    struct pollfd ready = {.fd = b->from, .events = POLLIN};
    if (b->capacity - b->length < ROOM) {
        size_t capacity = 2 * b->capacity + 2 * ROOM;
        char *room = realloc(b->answer, capacity);
        if (!room) {
            return false;
        }
        b->answer = room;
        b->capacity = capacity;
    }
    if (poll(&ready, 1, PATIENCE_MS) <= 0) {
        return false;
    }
    ssize_t got = read(b->from, b->answer + b->length, b->capacity - b->length);
    b->length += got > 0 ? (size_t)got : 0;
    return got > 0;
}

// The next message is in b->answer; what follows it is kept for later.
static bool receive(browser *b, size_t *used)
{
    if (*used > 0) {
        memmove(b->answer, b->answer + *used, b->length - *used);
        b->length -= *used;
        *used = 0;
    }
    for (size_t looked = 0;;) {
        const char *end =
            b->length > looked ? memchr(b->answer + looked, 0, b->length - looked) : NULL;
        if (end) {
            *used = (size_t)(end - b->answer) + 1;
            return true;
        }
        looked = b->length;
        if (!receive_some(b)) {
            return false;
        }
    }
}

static bool tell(browser *b, const char *method, const char *params)
{
    char session[120] = "";
    size_t size = strlen(method) + strlen(params) + 300;
    char *text = malloc(size);
    if (!text) {
        return false;
    }
    if (b->session[0]) {
        snprintf(session, sizeof session, ",\"sessionId\":\"%s\"", b->session);
    }
    snprintf(text, size, "{\"id\":%d,\"method\":\"%s\",\"params\":{%s}%s}", ++b->asked, method,
             params, session);
    bool sent = send_all(b->to, text, strlen(text) + 1);
    b->gone = b->gone || !sent;
    free(text);
    return sent;
}

// Wait for the answer to the last message; events in between are passed over.
static bool hear(browser *b)
{
    char id[32];
    size_t used = 0;
    snprintf(id, sizeof id, "{\"id\":%d,", b->asked);
    b->length = 0;
    while (!b->gone && receive(b, &used)) {
        if (strncmp(b->answer, id, strlen(id)) == 0) {
            return true;
        }
    }
    b->gone = true;
    return false;
}

static bool call(browser *b, const char *method, const char *params)
{
    return tell(b, method, params) && hear(b);
}

// The value of a key of the answer: a text without its quotes, or a number. Ours hold no escapes.
static char *value_of(browser *b, const char *key)
{
    char *at = strstr(b->answer, key);
    if (!at) {
        return NULL;
    }
    at += strlen(key);
    char *end = *at == '"' ? strchr(at + 1, '"') : at + strcspn(at, ",}");
    if (!end) {
        return NULL;
    }
    at += *at == '"';
    *end = 0;
    return at;
}

bool browser_tell(browser *b, const char *expression)
{
    size_t size = strlen(expression) + 120;
    char *params = malloc(size);
    if (!params) {
        return false;
    }
    snprintf(params, size, "\"expression\":\"%s\",\"awaitPromise\":true,\"returnByValue\":true",
             expression);
    bool told = tell(b, "Runtime.evaluate", params);
    free(params);
    return told;
}

const char *browser_hear(browser *b)
{
    return hear(b) ? value_of(b, "\"value\":") : NULL;
}

const char *browser_ask(browser *b, const char *expression)
{
    return browser_tell(b, expression) ? browser_hear(b) : NULL;
}

// ---------------------------------------------------------------------------------------------
// Beginning and end.

// In the child: the browser reads from 3 and writes to 4, and says nothing else. It draws with the
// system's OpenGL: a graphics card, or Mesa on the processor, which is nearly twice as fast as the
// browser's own SwiftShader. Where there is no OpenGL, the browser goes back to that by itself.
static void become(const char *program, int in, int out, int width, int height)
{
    char size[64];
    snprintf(size, sizeof size, "--window-size=%d,%d", width, height);
    int nothing = open("/dev/null", O_RDWR);
    // Above 4 first: one of the pipes may be 3 or 4 itself.
    int high_in = fcntl(in, F_DUPFD, 10), high_out = fcntl(out, F_DUPFD, 10);
    if (nothing < 0 || dup2(high_in, 3) < 0 || dup2(high_out, 4) < 0) {
        _exit(127);
    }
    dup2(nothing, 0);
    dup2(nothing, 1);
    dup2(nothing, 2);
    execl(program, program, "--headless=new", "--remote-debugging-pipe", "--no-sandbox",
          "--use-angle=gl-egl", "--ignore-gpu-blocklist", "--enable-unsafe-swiftshader",
          "--hide-scrollbars", "--disable-background-networking", "--disable-component-update",
          "--disable-sync", "--no-first-run", "--disable-gpu-watchdog",
          "--force-device-scale-factor=1", size, "about:blank", (char *)NULL);
    _exit(127);
}

static bool start(browser *b, const char *program, int width, int height)
{
    int to[2], from[2];
    if (pipe(to) != 0) {
        return false;
    }
    if (pipe(from) != 0) {
        close(to[0]);
        close(to[1]);
        return false;
    }
    b->process = fork();
    if (b->process == 0) {
        become(program, to[0], from[1], width, height);
    }
    close(to[0]);
    close(from[1]);
    b->to = to[1];
    b->from = from[0];
    fcntl(b->to, F_SETFD, FD_CLOEXEC);
    fcntl(b->from, F_SETFD, FD_CLOEXEC);
    return b->process > 0;
}

// Add a path to an address: what is neither letter nor digit may mean something there.
static void add_path(char *url, size_t size, const char *path)
{
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/-._~";
    for (size_t length = strlen(url); *path && length + 4 < size; path++) {
        bool as_is = strchr(plain, *path) != NULL;
        snprintf(url + length, size - length, as_is ? "%c" : "%%%02X",
                 as_is ? *path : (unsigned char)*path);
        length += as_is ? 1 : 3;
    }
}

// A page of its own, and a session to ask it in.
static bool attach(browser *b, const char *page)
{
    char params[16000] = "\"url\":\"file://", folder[4096];
    if (page[0] != '/' && getcwd(folder, sizeof folder)) {
        add_path(params, sizeof params - 2, folder);
        add_path(params, sizeof params - 2, "/");
    }
    add_path(params, sizeof params - 2, page);
    size_t length = strlen(params);
    snprintf(params + length, sizeof params - length, "\"");
    if (!call(b, "Target.createTarget", params)) {
        return false;
    }
    const char *target = value_of(b, "\"targetId\":");
    snprintf(params, sizeof params, "\"targetId\":\"%s\",\"flatten\":true", target ? target : "");
    if (!target || !call(b, "Target.attachToTarget", params)) {
        return false;
    }
    const char *session = value_of(b, "\"sessionId\":");
    snprintf(b->session, sizeof b->session, "%s", session ? session : "");
    return session != NULL;
}

// The page may still be on its way: what is asked of the empty one before it goes with that one.
static bool arrived(browser *b)
{
    for (int waited = 0; waited < PATIENCE_MS && !b->gone; waited += LOOK_MS) {
        const char *state = browser_ask(b, "document.readyState+location.protocol");
        if (state && strcmp(state, "completefile:") == 0) {
            return true;
        }
        poll(NULL, 0, LOOK_MS);
    }
    return false;
}

bool browser_open(browser *b, const char *program, const char *page, int width, int height)
{
    char params[120];
    *b = (browser){.to = -1, .from = -1};
    if (!start(b, program, width, height) || !attach(b, page)) {
        return false;
    }
    snprintf(params, sizeof params,
             "\"width\":%d,\"height\":%d,\"deviceScaleFactor\":1,\"mobile\":false", width, height);
    return call(b, "Emulation.setDeviceMetricsOverride", params) && arrived(b);
}

void browser_close(browser *b)
{
    if (b->process > 0) {
        kill(b->process, SIGTERM);
        waitpid(b->process, NULL, 0);
    }
    if (b->to >= 0) {
        close(b->to);
        close(b->from);
    }
    free(b->answer);
    *b = (browser){.to = -1, .from = -1};
}
