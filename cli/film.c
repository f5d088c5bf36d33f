#include "film.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "browser.h"

enum { PATH_SIZE = 4200 };

// How each ending is made; NULL arguments: a picture, for which the browser is enough.
typedef struct recipe {
    const char *ending, *size;
    int fps;
    const char *arguments[16]; // of ffmpeg, between input and output
} recipe;

static const recipe recipes[] = {
    {".mp4",
     "1280x720",
     30,
     {"-c:v", "libx264", "-pix_fmt", "yuv420p", "-crf", "21", "-movflags", "+faststart", "-f",
      "mp4"}},
    {".webm",
     "1280x720",
     30,
     {"-c:v", "libvpx-vp9", "-b:v", "0", "-crf", "36", "-row-mt", "1", "-f", "webm"}},
    {".gif",
     "640x360",
     20,
     {"-filter_complex",
      "split[a][b];[a]palettegen=max_colors=96:stats_mode=diff[p];[b][p]paletteuse=dither=none:"
      "diff_mode=rectangle",
      "-f", "gif"}},
    {".png", "1280x720", 1, {NULL}},
};

static const recipe *find_recipe(const char *path)
{
    size_t length = strlen(path);
    for (size_t i = 0; i < sizeof recipes / sizeof recipes[0]; i++) {
        size_t end = strlen(recipes[i].ending);
        if (length > end && strcmp(path + length - end, recipes[i].ending) == 0) {
            return &recipes[i];
        }
    }
    return NULL;
}

film film_default(void)
{
    return (film){.at = -1, .speed = 1};
}

bool is_film(const char *path)
{
    return path && find_recipe(path);
}

static char *find_ffmpeg(void)
{
    static const char *const names[] = {"ffmpeg", NULL};
    return program_find(names);
}

static bool read_size(const char *text, int *width, int *height)
{
    char *end = NULL;
    long w = strtol(text, &end, 10), h = *end == 'x' ? strtol(end + 1, &end, 10) : 0;
    *width = (int)w;
    *height = (int)h;
    // Films are coded in squares of two by two.
    return *end == 0 && w >= 64 && h >= 64 && w <= 4096 && h <= 4096 && w % 2 == 0 && h % 2 == 0;
}

static bool is_one_of(const char *word, const char *words)
{
    size_t length = strlen(word);
    const char *at = word[0] ? strstr(words, word) : NULL;
    return at && (at == words || at[-1] == ' ') && (at[length] == ' ' || at[length] == 0);
}

static int check(const film *how)
{
    int width, height;
    if (how->size && !read_size(how->size, &width, &height)) {
        fprintf(stderr, "carom: --size must be like 1280x720, even and 64 to 4096, got \"%s\"\n",
                shown(how->size));
        return EXIT_USAGE;
    }
    if (how->camera && !is_one_of(how->camera, "free follow ride eyes around top")) {
        fprintf(stderr,
                "carom: --camera must be free, follow, ride, eyes, around or top, got \"%s\"\n",
                shown(how->camera));
        return EXIT_USAGE;
    }
    if (how->tint && !is_one_of(how->tint, "body speed slip skill")) {
        fprintf(stderr, "carom: --tint must be body, speed, slip or skill, got \"%s\"\n",
                shown(how->tint));
        return EXIT_USAGE;
    }
    return -1;
}

int film_try(const char *path, const film *how)
{
    int code = check(how);
    code = code >= 0 ? code : output_try(path);
    if (code >= 0) {
        return code;
    }
    char *program = browser_find();
    char *ffmpeg = find_recipe(path)->arguments[0] ? find_ffmpeg() : strdup("");
    if (!program) {
        fprintf(stderr,
                "carom: %s: films and pictures need a browser: install chromium, or say "
                "where it is in CHROMIUM\n",
                shown(path));
    }
    if (!ffmpeg) {
        fprintf(stderr, "carom: %s: films need ffmpeg: install it\n", shown(path));
    }
    code = program && ffmpeg ? -1 : EXIT_FILE;
    free(program);
    free(ffmpeg);
    return code;
}

// ---------------------------------------------------------------------------------------------
// The encoder: frames go into its input.

typedef struct encoder {
    pid_t process;
    int to;
} encoder;

static void become_ffmpeg(const char *program, const recipe *r, int fps, int in, const char *part)
{
    char rate[24];
    const char *arguments[40] = {program,      "-y", "-loglevel", "error", "-f", "image2pipe",
                                 "-framerate", rate, "-c:v",      "mjpeg", "-i", "-"};
    int count = 12;
    snprintf(rate, sizeof rate, "%d", fps);
    for (int i = 0; r->arguments[i]; i++) {
        arguments[count++] = r->arguments[i];
    }
    arguments[count++] = part;
    dup2(in, 0);
    close(in);
    // execv takes its arguments without const for reasons of history and changes none.
    char *copies[40] = {0};
    memcpy(copies, arguments, sizeof arguments);
    execv(program, copies);
    _exit(127);
}

static bool encoder_open(encoder *e, const recipe *r, int fps, const char *part)
{
    int pipes[2];
    char *program = find_ffmpeg();
    if (!program || pipe(pipes) != 0) {
        free(program);
        return false;
    }
    fcntl(pipes[1], F_SETFD, FD_CLOEXEC);
    e->process = fork();
    if (e->process == 0) {
        become_ffmpeg(program, r, fps, pipes[0], part);
    }
    close(pipes[0]);
    free(program);
    e->to = pipes[1];
    return e->process > 0;
}

static bool encoder_close(encoder *e)
{
    int status = 1;
    close(e->to);
    waitpid(e->process, &status, 0);
    return status == 0;
}

// ---------------------------------------------------------------------------------------------
// Frames: the page hands them over as data URLs.

static int sextet(char c)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c ? strchr(letters, c) : NULL;
    return at ? (int)(at - letters) : -1;
}

// Decode base64 in place; returns the bytes.
static size_t decode(char *text)
{
    size_t length = 0;
    unsigned word = 0, bits = 0;
    for (const char *at = text; sextet(*at) >= 0; at++) {
        word = word << 6 | (unsigned)sextet(*at);
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            text[length++] = (char)(word >> bits);
        }
    }
    return length;
}

static bool write_all(int to, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t wrote = write(to, bytes, length);
        if (wrote < 0 && errno == EINTR) {
            continue;
        }
        if (wrote <= 0) {
            return false;
        }
        bytes += wrote;
        length -= (size_t)wrote;
    }
    return true;
}

static bool ask_frame(browser *b, int frame, const char *type)
{
    char question[120];
    snprintf(question, sizeof question, "carom.film.frame(%d,'image/%s')", frame, type);
    return browser_tell(b, question);
}

// The bytes of the frame that was asked for, in the browser's own memory; NULL if it has none.
static char *take_frame(browser *b, size_t *length)
{
    const char *url = browser_hear(b);
    const char *comma = url ? strchr(url, ',') : NULL;
    if (!comma) {
        return NULL;
    }
    char *data = b->answer + (comma + 1 - b->answer);
    *length = decode(data);
    return data;
}

// Wait until the page is there and knows its film; the number of frames, or -1.
static int prepare(browser *b, const film *how, int fps)
{
    char question[400];
    snprintf(question, sizeof question,
             "new Promise(function wait(done){window.carom?done(carom.film.prepare({fps:%d,"
             "speed:%g,at:%g,slow:%s,dark:%s,tree:%s,camera:'%s',tint:'%s'})):"
             "setTimeout(wait,50,done)})",
             fps, how->speed, how->at, how->slow ? "true" : "false", how->dark ? "true" : "false",
             how->tree ? "true" : "false", how->camera ? how->camera : "",
             how->tint ? how->tint : "");
    const char *count = browser_ask(b, question);
    return count ? atoi(count) : -1;
}

// ---------------------------------------------------------------------------------------------
// The set: a page or two, each in a browser of its own. While one draws, the other packs what it
// has drawn; they take frames in turns.

enum { PAGES = 2, FEW_FRAMES = 60 }; // which one page draws before a second one is there

typedef struct studio {
    const char *program, *page;
    int width, height, pages;
    browser browsers[PAGES];
} studio;

static bool add_page(studio *s)
{
    bool good = s->program &&
                browser_open(&s->browsers[s->pages], s->program, s->page, s->width, s->height);
    if (!good) {
        browser_close(&s->browsers[s->pages]);
    }
    s->pages += good;
    return good;
}

static void close_pages(studio *s)
{
    for (int i = 0; i < s->pages; i++) {
        browser_close(&s->browsers[i]);
    }
}

static void say_progress(progress *bar, double start, int done, int count)
{
    double left = (now_seconds() - start) * (count - done) / done;
    if (progress_due(bar)) {
        progress_show(bar, "frame %d of %d, about %.0f %s left", done, count,
                      left < 100 ? left : left / 60, left < 100 ? "s" : "min");
    }
}

static int show_frames(studio *s, const encoder *e, int count)
{
    progress bar = {0};
    double start = now_seconds();
    int code = -1, pages = s->pages;
    for (int i = 0; i < pages && i < count; i++) {
        ask_frame(&s->browsers[i], i, "jpeg");
    }
    for (int i = 0; i < count && code < 0; i++) {
        size_t length = 0;
        browser *b = &s->browsers[i % pages];
        const char *frame = take_frame(b, &length);
        if (stop_asked(NULL)) {
            code = interrupted("nothing was written");
        } else if (!frame || !write_all(e->to, frame, length)) {
            code = EXIT_FILE;
        } else if (i + pages < count) {
            ask_frame(b, i + pages, "jpeg");
        }
        say_progress(&bar, start, i + 1, count);
    }
    progress_end(&bar);
    return code;
}

static int write_film(studio *s, const recipe *r, const film *how, const char *path)
{
    char part[PATH_SIZE];
    encoder e;
    int fps = how->fps > 0 ? (int)how->fps : r->fps;
    int count = prepare(&s->browsers[0], how, fps);
    snprintf(part, sizeof part, "%s.part", path);
    // Without a second page it takes longer, and that is all.
    if (count > FEW_FRAMES && add_page(s) && prepare(&s->browsers[1], how, fps) != count) {
        return EXIT_FILE;
    }
    if (count < 1 || !encoder_open(&e, r, fps, part)) {
        return EXIT_FILE;
    }
    int code = show_frames(s, &e, count);
    bool whole = encoder_close(&e) && code < 0;
    if (whole && rename(part, path) == 0) {
        return -1;
    }
    remove(part);
    return code < 0 ? EXIT_FILE : code;
}

static int write_picture(browser *b, const film *how, const char *path)
{
    cr_report report = {0};
    size_t length = 0;
    int count = prepare(b, how, 30);
    bool asked = count > 0 && ask_frame(b, count / 2, "png");
    const char *picture = asked ? take_frame(b, &length) : NULL;
    if (!picture) {
        return EXIT_FILE;
    }
    cr_status status = cr_file_write(path, picture, length, &report);
    return status == CR_OK ? -1 : report_print(status, &report);
}

int film_write(const char *page, const char *path, const film *how)
{
    const recipe *r = find_recipe(path);
    char *program = browser_find();
    studio s = {.program = program, .page = page};
    int code = EXIT_FILE;
    read_size(how->size ? how->size : r->size, &s.width, &s.height);
    signal(SIGPIPE, SIG_IGN);
    if (add_page(&s)) {
        code = r->arguments[0] ? write_film(&s, r, how, path)
                               : write_picture(&s.browsers[0], how, path);
    }
    close_pages(&s);
    if (code == EXIT_FILE) {
        fprintf(stderr, "carom: %s: the browser or ffmpeg did not make it\n", shown(path));
    }
    free(program);
    return code;
}

int film_of(const cr_playback *playback, const char *path, const film *how)
{
    char page[PATH_SIZE];
    cr_report report = {0};
    snprintf(page, sizeof page, "%s.part.html", path);
    cr_status status = cr_playback_write(playback, page, &report);
    int code = status == CR_OK ? film_write(page, path, how) : report_print(status, &report);
    remove(page);
    return code;
}
