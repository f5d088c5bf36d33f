// Scenes from strangers: each ends in a located message, none in a crash, a hang or a print.
#define _GNU_SOURCE
#include "texts.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/document.h"

static char folder[] = "/tmp/carom-hostile-XXXXXX";

static const char *path_of(const char *name)
{
    static char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void expect_file_error(const char *name, cr_status status, const char *message)
{
    cr_report report = {0};
    cr_scene *scene = (cr_scene *)(void *)1;
    assert_int_equal(cr_scene_read(path_of(name), &scene, &report), status);
    assert_null(scene);
    assert_int_equal(report.count, 1);
    assert_string_equal(report.errors[0].message, message);
    assert_string_equal(report.errors[0].file, path_of(name));
}

static void write_file(const char *name, const void *data, size_t length)
{
    int file = open(path_of(name), O_CREAT | O_WRONLY | O_TRUNC, 0600);
    assert_true(file >= 0);
    assert_true(write(file, data, length) == (ssize_t)length);
    close(file);
}

static void files(void **state)
{
    (void)state;
    expect_file_error("missing.yaml", CR_ERR_FILE, "cannot be opened: No such file or directory");
    assert_int_equal(mkdir(path_of("folder.yaml"), 0700), 0);
    expect_file_error("folder.yaml", CR_ERR_FILE, "is a folder, not a file");
    assert_int_equal(mkfifo(path_of("pipe.yaml"), 0600), 0);
    expect_file_error("pipe.yaml", CR_ERR_FILE, "is not a regular file");
    write_file("empty.yaml", "", 0);
    expect_file_error("empty.yaml", CR_ERR_SYNTAX, "the text is empty, or all comments");
    write_file("zeros.yaml", "", 0);
    assert_int_equal(truncate(path_of("zeros.yaml"), 100 << 20), 0);
    expect_file_error("zeros.yaml", CR_ERR_RANGE,
                      "is 104857600 bytes long; at most 4194304 are read");
    assert_int_equal(truncate(path_of("zeros.yaml"), 4 << 20), 0);
    expect_file_error("zeros.yaml", CR_ERR_SYNTAX,
                      "the text must be UTF-8 without control characters, got byte 0x00");
}

static void bytes(void **state)
{
    (void)state;
    expect_errors("# nothing\n\n# here\n", "t.yaml:1:1: the text is empty, or all comments\n");
    expect_errors("name: a\nabout: \xff\xfe\n",
                  "t.yaml:2:8: the text must be UTF-8 without control characters, got byte 0xff\n");
    expect_errors("about: \xc0\xaf\n",
                  "t.yaml:1:8: the text must be UTF-8 without control characters, got byte 0xc0\n");
    expect_errors("about: \xed\xa0\x80\n",
                  "t.yaml:1:8: the text must be UTF-8 without control characters, got byte 0xed\n");
    expect_errors("about: \x1b[31m\n",
                  "t.yaml:1:8: the text must be UTF-8 without control characters, got byte 0x1b\n");
    char errors[2000];
    text_errors("name: a\0b\n", 10, errors, sizeof errors);
    assert_string_equal(
        errors, "t.yaml:1:8: the text must be UTF-8 without control characters, got byte 0x00\n");
    expect_errors("name: \"a\\0b\"\nbodies: {}\n",
                  "t.yaml:1:7: a text must not contain the character 0\n");
}

static void yaml_extras(void **state)
{
    (void)state;
    expect_errors("bodies:\n"
                  "  a: &x {kind: static, shape: {sphere: 1}}\n"
                  "  b: *x\n"
                  "  c: !!map {kind: static}\n",
                  "t.yaml:2:6: anchors (&name) are not allowed\n"
                  "t.yaml:3:6: aliases (*name) are not allowed\n"
                  "t.yaml:4:6: tags (!name) are not allowed\n");
    expect_errors("bodies: {}\n---\nbodies: {}\n",
                  "t.yaml:2:1: the text must be one document, got a second\n");
    expect_errors("bodies:\n"
                  "  a: {kind: static, kind: passive, shape: {sphere: 1}}\n"
                  "  a: {kind: static}\n",
                  "t.yaml:2:21: key \"kind\" stands here for the second time\n"
                  "t.yaml:3:3: key \"a\" stands here for the second time\n");
    expect_errors("bodies: {[1, 2]: 3}\n", "t.yaml:1:10: a key must be a word\n");
    expect_errors("[1, 2]\n", "t.yaml:1:1: a scene must be a mapping, got a list\n");
    expect_errors("ball\n", "t.yaml:1:1: a scene must be a mapping, got a word or number\n");
    expect_errors("---\n", "t.yaml:1:1: a scene must be a mapping, got nothing\n");
    expect_errors("bodies:\n\ta: 1\n",
                  "t.yaml:2:1: tab character may not be used as indentation\n");
    expect_errors("name: 'a''''b'\n", "t.yaml:1:12: at most three ' may stand in a row\n");
    expect_errors("bodies: [1, 2\n", "t.yaml:2:1: flow sequence without a closing bracket\n");
}

// A billion laughs needs aliases, and those are refused where they stand.
static void bombs(void **state)
{
    (void)state;
    expect_errors("a: &a [l, l]\nb: &b [*a, *a]\nname: x\n",
                  "t.yaml:1:4: anchors (&name) are not allowed\n"
                  "t.yaml:2:4: anchors (&name) are not allowed\n"
                  "t.yaml:2:8: aliases (*name) are not allowed\n"
                  "t.yaml:2:12: aliases (*name) are not allowed\n");
}

static char *repeat(const char *head, const char *part, int times, const char *tail)
{
    size_t size = strlen(part);
    char *text = malloc(strlen(head) + size * (size_t)times + strlen(tail) + 1);
    assert_non_null(text);
    char *at = stpcpy(text, head);
    for (int i = 0; i < times; i++) {
        memcpy(at, part, size);
        at += size;
    }
    strcpy(at, tail);
    return text;
}

static void expect_repeated(const char *head, const char *part, int times, const char *tail,
                            const char *errors)
{
    char *text = repeat(head, part, times, tail);
    char got[32 * 640];
    text_errors(text, strlen(text), got, sizeof got);
    free(text);
    assert_string_equal(got, errors);
}

static void depth(void **state)
{
    (void)state;
    expect_repeated("", "[", 100000, "",
                    "t.yaml:1:65: lists and mappings are nested more than 64 deep\n");
    expect_repeated("goal: ", "{not: ", 30000, "",
                    "t.yaml:1:385: lists and mappings are nested more than 64 deep\n");
    expect_repeated("", "- ", 100000, "x",
                    "t.yaml:1:129: lists and mappings are nested more than 64 deep\n");
    expect_repeated("", "? ", 100000, "x",
                    "t.yaml:1:129: lists and mappings are nested more than 64 deep\n");
    // Blocks: one level a line, each one blank further in.
    enum { LEVELS = 1500 };
    char *text = malloc(LEVELS * (LEVELS + 4) / 2 + LEVELS * 4 + 1), *at = text;
    assert_non_null(text);
    for (int i = 0; i < LEVELS; i++) {
        at += sprintf(at, "%*sa:\n", i, "");
    }
    expect_errors(text, "t.yaml:65:65: lists and mappings are nested more than 64 deep\n");
    free(text);
}

static void long_lists(void **state)
{
    (void)state;
    expect_repeated("about: [", "1,", 200000, "]",
                    "t.yaml:1:1: a line must be at most 262144 bytes long, got 400009\n");
    expect_repeated("about: [\n", " 1,\n", 600000, " ]",
                    "t.yaml:499999:2: at most 500000 values are read\n");
    expect_repeated("name: x\nbodies: {", "", 0, "}\nabout: [1]\n",
                    "t.yaml:3:8: about must be a text, got a list\n");
    // Four million bytes of one word, and of one comment, are no trouble.
    expect_repeated("bodies: {}\nabout:\n", " x\n", 1000000, "", "");
    expect_repeated("bodies: {}\n", "#\n", 1000000, "", "");
}

static void many_bodies(void **state)
{
    (void)state;
    char *text = malloc(1 << 20), *at = text;
    assert_non_null(text);
    at += sprintf(at, "bodies:\n");
    for (int i = 0; i < 1025; i++) {
        at += sprintf(at, "  b%d: {kind: static, shape: {sphere: 1}}\n", i);
    }
    expect_errors(text, "t.yaml:2:3: bodies must be at most 1024, got 1025\n");
    free(text);
}

static void numbers(void **state)
{
    (void)state;
    expect_errors(
        "bodies:\n"
        "  a: {kind: passive, shape: {sphere: nan}, mass: inf}\n"
        "  b: {kind: passive, shape: {sphere: 1e400}, mass: 1 / 0}\n"
        "  c: {kind: passive, shape: {sphere: -1}, mass: -1}\n"
        "  d: {kind: passive, shape: {sphere: 1e-300}, mass: 1e300}\n"
        "  e: {kind: passive, shape: {sphere: .inf}, mass: .nan, at: [1e999, 0]}\n",
        "t.yaml:2:38: body \"a\": sphere radius must be a number: unknown name \"nan\"\n"
        "t.yaml:2:50: body \"a\": mass must be a number: unknown name \"inf\"\n"
        "t.yaml:3:38: body \"b\": sphere radius must be a number: the number is too large\n"
        "t.yaml:3:56: body \"b\": mass must be a number: division by zero\n"
        "t.yaml:4:38: body \"c\": sphere radius must be > 0, got -1\n"
        "t.yaml:4:49: body \"c\": mass must be > 0, got -1\n"
        "t.yaml:5:38: body \"d\": sphere radius must be at least 1e-09, got 1e-300\n"
        "t.yaml:5:53: body \"d\": mass must be at most 1e+09, got 1e+300\n"
        "t.yaml:6:38: body \"e\": sphere radius must be a number: \".inf\" is not a number\n"
        "t.yaml:6:51: body \"e\": mass must be a number: \".nan\" is not a number\n"
        "t.yaml:6:62: body \"e\": at must be a number: the number is too large\n");
}

static void too_many_errors(void **state)
{
    (void)state;
    char *text = repeat("bodies: {}\nrules:\n", "- {nevr: 1}\n", 100, "");
    cr_report report = {0};
    cr_scene *scene = NULL;
    cr_model *model = NULL;
    assert_int_equal(cr_scene_read_text(text, strlen(text), "t.yaml", &scene, &report), CR_OK);
    assert_int_equal(cr_model_create(scene, NULL, 0, &model, &report), CR_ERR_NAME);
    assert_int_equal(report.count, 100);
    assert_int_equal(report.errors[CR_REPORT_MAX - 1].line, 2 + CR_REPORT_MAX);
    // Without a report there is only the status.
    assert_int_equal(cr_model_create(scene, NULL, 0, &model, NULL), CR_ERR_NAME);
    assert_null(model);
    cr_scene_destroy(scene);
    free(text);
}

// Long names are cut in messages and control characters cannot come through them.
static void long_words(void **state)
{
    (void)state;
    char *text = repeat("bodies: {}\n", "x", 100000, ": 1\n");
    char got[32 * 640];
    text_errors(text, strlen(text), got, sizeof got);
    free(text);
    assert_true(strlen(got) < 640);
    assert_non_null(strstr(got, "t.yaml:2:1: unknown key \"xxxx"));
}

// libfyaml must not talk: whatever it finds goes into the report.
static void nothing_is_printed(void **state)
{
    (void)state;
    int kept = dup(STDERR_FILENO);
    int file = open(path_of("stderr"), O_CREAT | O_RDWR | O_TRUNC, 0600);
    assert_true(kept >= 0 && file >= 0);
    fflush(stderr);
    dup2(file, STDERR_FILENO);
    char got[32 * 640];
    const char *texts[] = {"a: [",
                           "a: b: c",
                           "\"",
                           "{a: 1, a: 2",
                           "%YAML 9.9\n---\na: 1",
                           "a: 'x",
                           "%TAG ! !\n---\n",
                           "- a\nb: c",
                           "? [",
                           "a: |9\n",
                           "*a",
                           "&a",
                           "!<",
                           "@"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        text_errors(texts[i], strlen(texts[i]), got, sizeof got);
        assert_true(got[0] != 0);
    }
    fflush(stderr);
    dup2(kept, STDERR_FILENO);
    off_t size = lseek(file, 0, SEEK_END);
    close(kept);
    close(file);
    assert_int_equal(size, 0);
}

// The reader serves plans as well: long lists of numbers over many lines, and one long string.
static void large_json(void **state)
{
    (void)state;
    char *text = repeat("{\"numbers\": [\n", "0.12345678901234567, -1e-9,\n", 100000, "0]}");
    cri_arena arena = {0};
    const cri_node *root = NULL;
    cr_report report = {0};
    cri_node_source source = {text, strlen(text), "p.json", 16, 1000000, NULL, 0};
    assert_int_equal(cri_node_read(&source, &arena, &root, &report), CR_OK);
    const cri_node *list = cri_node_get(root, "numbers");
    assert_int_equal(list->count, 200001);
    double value;
    assert_true(cri_node_number(&list->items[199998], &value) && value == 0.12345678901234567);
    int64_t whole;
    assert_false(cri_node_integer(&list->items[199998], &whole));
    assert_true(cri_node_integer(&list->items[200000], &whole) && whole == 0);
    cri_arena_free(&arena);
    free(text);
    text = repeat("{\"text\": \"", "[1, 2, \\\"3\\\"],\\n", 200000, "\"}");
    source = (cri_node_source){text, strlen(text), "p.json", 16, 10, NULL, 0};
    assert_int_equal(cri_node_read(&source, &arena, &root, &report), CR_OK);
    assert_int_equal(cri_node_get(root, "text")->count, 200000 * 13);
    cri_arena_free(&arena);
    free(text);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    const char *names[] = {"pipe.yaml", "empty.yaml", "zeros.yaml", "stderr"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        unlink(path_of(names[i]));
    }
    rmdir(path_of("folder.yaml"));
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files),
        cmocka_unit_test(bytes),
        cmocka_unit_test(yaml_extras),
        cmocka_unit_test(bombs),
        cmocka_unit_test(depth),
        cmocka_unit_test(long_lists),
        cmocka_unit_test(many_bodies),
        cmocka_unit_test(numbers),
        cmocka_unit_test(too_many_errors),
        cmocka_unit_test(long_words),
        cmocka_unit_test(nothing_is_printed),
        cmocka_unit_test(large_json),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
