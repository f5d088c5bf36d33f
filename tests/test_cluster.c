// Shared work in one process: results in order whatever order they come in, words that keep all
// their bits, and a journal that a kill or a damaged disk costs nothing but the lines they hit.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "cluster/cluster.h"
#include "cluster/journal.h"
#include "cluster/ledger.h"
#include "cluster/wire.h"

// ---------------------------------------------------------------------------------------------
// The ledger.

typedef struct diary {
    char taken[200], heard[200], kept[200];
    int64_t enough; // take says so at this unit; -1: never
} diary;

static int note(char *where, int64_t unit, cluster_result result)
{
    size_t length = strlen(where);
    snprintf(where + length, 200 - length, "%d%.*s ", (int)unit, (int)result.length, result.text);
    return CLUSTER_ON;
}

static int take(int64_t unit, cluster_result result, void *context)
{
    diary *d = context;
    note(d->taken, unit, result);
    return unit == d->enough ? CLUSTER_ENOUGH : CLUSTER_ON;
}

static int hear(int64_t unit, cluster_result result, void *context)
{
    return note(((diary *)context)->heard, unit, result);
}

static int keep(int64_t unit, cluster_result result, void *context)
{
    return note(((diary *)context)->kept, unit, result);
}

static bool recall_odd(int64_t unit, cluster_result *result, void *context)
{
    (void)context;
    *result = (cluster_result){"old!", 3};
    return unit % 2 == 1;
}

static int run_letter(int64_t unit, FILE *result, void *context)
{
    (void)context;
    fputc('a' + (int)unit, result);
    return CLUSTER_ON;
}

static cluster_work letters(diary *d, int64_t count)
{
    return (cluster_work){.count = count,
                          .what = "letters",
                          .run = run_letter,
                          .keep = keep,
                          .hear = hear,
                          .take = take,
                          .context = d};
}

static void test_order(void **state)
{
    (void)state;
    static const int orders[][4] = {{0, 1, 2, 3}, {3, 2, 1, 0}, {1, 3, 0, 2}};
    static const char *const heard[] = {"0a 1b 2c 3d ", "3d 2c 1b 0a ", "1b 3d 0a 2c "};
    for (int k = 0; k < 3; k++) {
        diary d = {.enough = -1};
        cluster_work work = letters(&d, 4);
        ledger l;
        assert_int_equal(ledger_begin(&l, &work), CLUSTER_ON);
        for (int i = 0; i < 4; i++) {
            assert_int_equal(ledger_next(&l), i);
        }
        assert_int_equal(ledger_next(&l), -1);
        for (int i = 0; i < 4; i++) {
            char text[2] = {(char)('a' + orders[k][i]), 0};
            assert_int_equal(ledger_add(&l, orders[k][i], strdup(text), 1), CLUSTER_ON);
        }
        ledger_end(&l);
        assert_string_equal(d.taken, "0a 1b 2c 3d ");
        assert_string_equal(d.heard, heard[k]);
        assert_string_equal(d.kept, heard[k]);
    }
}

// What was done before is neither run nor kept again, but heard at once and taken in its place.
static void test_recall(void **state)
{
    (void)state;
    diary d = {.enough = -1};
    cluster_work work = letters(&d, 5);
    work.recall = recall_odd;
    assert_int_equal(cluster_run(&work), CLUSTER_ON);
    assert_string_equal(d.heard, "1old 3old 0a 2c 4e ");
    assert_string_equal(d.kept, "0a 2c 4e ");
    assert_string_equal(d.taken, "0a 1old 2c 3old 4e ");
}

static int run_told(int64_t unit, FILE *result, void *context)
{
    (void)context;
    if (unit == 3) {
        return CLUSTER_CUT;
    }
    fprintf(result, ":%d", cluster_told() == INT64_MAX ? -1 : (int)cluster_told());
    return CLUSTER_ON;
}

static int tell(int64_t unit, cluster_result result, void *context)
{
    (void)result;
    (void)context;
    cluster_tell(unit == 0 ? 7 : 9);
    return CLUSTER_ON;
}

static void test_ends(void **state)
{
    (void)state;
    diary d = {.enough = 2};
    cluster_work work = letters(&d, 1000);
    assert_int_equal(cluster_run(&work), CLUSTER_ENOUGH);
    assert_string_equal(d.taken, "0a 1b 2c ");
    for (int i = 0; i < 2; i++) { // what was told is forgotten by the next work
        d = (diary){.enough = -1};
        work.run = run_told;
        work.hear = tell;
        assert_int_equal(cluster_run(&work), CLUSTER_CUT);
        assert_string_equal(d.taken, "0:-1 1:7 2:7 ");
    }
    work.count = 0;
    assert_int_equal(cluster_run(&work), CLUSTER_ON);
}

// ---------------------------------------------------------------------------------------------
// Words.

typedef struct thing {
    bool flag;
    int number;
    int64_t count;
    uint64_t hash;
    size_t size;
    double value;
} thing;

static const wire_row thing_rows[] = {
    {WIRE_FLAG, offsetof(thing, flag)},   {WIRE_INT, offsetof(thing, number)},
    {WIRE_COUNT, offsetof(thing, count)}, {WIRE_HASH, offsetof(thing, hash)},
    {WIRE_SIZE, offsetof(thing, size)},   {WIRE_NUMBER, offsetof(thing, value)},
};

static void test_words(void **state)
{
    (void)state;
    static const double values[] = {0.1, -0.0, 1e308, 5e-324, -HUGE_VAL, HUGE_VAL, 1.0 / 3};
    static const int64_t counts[] = {0, 1, -1, INT64_MAX, INT64_MIN, 1 << 20, 42};
    for (int i = 0; i < 7; i++) {
        thing a = {i % 2,
                   i % 2 ? INT32_MAX : INT32_MIN,
                   counts[i],
                   UINT64_MAX - (uint64_t)i,
                   SIZE_MAX / (size_t)(i + 1),
                   values[i]};
        thing b = {0};
        char *text = NULL;
        size_t length;
        FILE *file = open_memstream(&text, &length);
        wire_print(file, thing_rows, 6, &a);
        fclose(file);
        const char *at = text;
        assert_true(wire_read(&at, thing_rows, 6, &b));
        assert_ptr_equal(at, text + length);
        assert_true(a.flag == b.flag && a.number == b.number && a.count == b.count);
        assert_true(a.hash == b.hash && a.size == b.size);
        assert_memory_equal(&a.value, &b.value, sizeof a.value);
        for (size_t cut = 0; cut < length; cut++) { // no part of it reads as the whole
            text[cut] = 0;
            at = text;
            assert_false(wire_read(&at, thing_rows, 6, &b) && at == text + cut && cut < length - 1);
            text[cut] = ' ';
        }
        free(text);
    }
    static const char *const wrong[] = {
        "",           "2 1 1 1 1 1 ",  "1 2147483648 1 1 1 1 ",
        "1 1 x 1 1 ", "1  1 1 1 1 1 ", "1 1 9223372036854775808 1 1 1 "};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        thing b;
        const char *at = wrong[i];
        assert_false(wire_read(&at, thing_rows, 6, &b));
    }
}

// ---------------------------------------------------------------------------------------------
// The journal.

static char folder[60], path[80];

static int make_folder(void **state)
{
    (void)state;
    // Thousands of lines are put on the disk: one that is in memory is quicker.
    const char *place = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    snprintf(folder, sizeof folder, "%s/carom-journal-XXXXXX", place);
    bool made = mkdtemp(folder) != NULL;
    snprintf(path, sizeof path, "%s/journal", folder);
    int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDERR_FILENO); // what is torn and refused is said there
    return made ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(folder);
}

static const char *const results[] = {"plain", "two\nlines \\n", "", "\\", "\n\n", "last"};
enum { RESULTS = 6 };

static void write_bytes(const char *text, size_t length)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    fclose(file);
}

static char *read_bytes(size_t *length)
{
    char *text = calloc(1, 4096);
    FILE *file = fopen(path, "r");
    *length = fread(text, 1, 4096, file);
    fclose(file);
    return text;
}

// Open it, do what is missing, and close it; returns how many were done.
static int complete(const char *work)
{
    journal j;
    int done = 0;
    if (journal_open(&j, path, work, RESULTS) >= 0) {
        return -1;
    }
    for (int i = 0; i < RESULTS; i++) {
        cluster_result result;
        if (journal_recall(&j, i, &result)) {
            assert_int_equal(result.length, strlen(results[i]));
            assert_memory_equal(result.text, results[i], result.length);
        } else {
            result = (cluster_result){results[i], strlen(results[i])};
            assert_int_equal(journal_keep(&j, i, result), CLUSTER_ON);
            done++;
        }
    }
    assert_int_equal(journal_close(&j, -1), -1);
    return done;
}

static int lines_of(const char *text, size_t length)
{
    int lines = 0;
    for (size_t i = 0; i < length; i++) {
        lines += text[i] == '\n';
    }
    return lines;
}

// Cut at any byte: what was whole stays, the rest is done again, and the file ends as if nothing
// had happened.
static void test_torn(void **state)
{
    (void)state;
    size_t length, after;
    unlink(path);
    assert_int_equal(complete("work"), RESULTS);
    assert_int_equal(complete("work"), 0);
    char *whole = read_bytes(&length);
    assert_int_equal(lines_of(whole, length), RESULTS + 1);
    for (size_t cut = 0; cut < length; cut++) {
        int lines = lines_of(whole, cut);
        write_bytes(whole, cut);
        assert_int_equal(complete("work"), RESULTS - (lines > 0 ? lines - 1 : 0));
        char *again = read_bytes(&after);
        assert_int_equal(after, length);
        assert_memory_equal(again, whole, length);
        free(again);
    }
    free(whole);
}

// Any byte changed: the file is refused if that hits its first line, else one line or two are done
// again.
static void test_damaged(void **state)
{
    (void)state;
    size_t length;
    unlink(path);
    complete("work");
    char *whole = read_bytes(&length);
    const char *first_end = strchr(whole, '\n');
    for (size_t i = 0; i < length; i++) {
        char old = whole[i];
        whole[i] = old == 'x' ? 'y' : 'x';
        write_bytes(whole, length);
        int done = complete("work");
        bool first = whole + i <= first_end;
        assert_true(first ? done == -1 : done >= 1 && done <= 2);
        if (!first) {
            assert_int_equal(complete("work"), 0);
        }
        whole[i] = old;
    }
    free(whole);
}

// Other work's, and what is no journal, is refused and stays as it is.
static void test_foreign(void **state)
{
    (void)state;
    static const char *const others[] = {"seed,select\n1,bgt\n", "\n", "notes", "0123456789abcdefg",
                                         "0123456789abcdef wo rk"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        size_t length;
        write_bytes(others[i], strlen(others[i]));
        assert_int_equal(complete("work"), -1);
        char *after = read_bytes(&length);
        assert_string_equal(after, others[i]);
        free(after);
    }
    unlink(path);
    complete("work");
    assert_int_equal(complete("work of others"), -1);
    assert_int_equal(complete("work"), 0);
    journal none;
    cluster_result result = {"", 0};
    assert_int_equal(journal_open(&none, NULL, "work", 3), -1);
    assert_false(journal_recall(&none, 0, &result));
    assert_int_equal(journal_keep(&none, 0, result), CLUSTER_ON);
    assert_int_equal(journal_close(&none, 5), 5);
}

// One writer: a second process is refused while the first has it open.
static void test_lock(void **state)
{
    (void)state;
    journal j;
    unlink(path);
    assert_int_equal(journal_open(&j, path, "work", RESULTS), -1);
    pid_t child = fork();
    if (child == 0) {
        _exit(complete("work") == -1 ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    assert_int_equal(journal_close(&j, -1), -1);
    assert_int_equal(complete("work"), RESULTS);
}

static void test_work(void **state)
{
    (void)state;
    char *words[] = {"bench",       "windmill", "--journal", "x",
                     "--threads=3", "--seeds",  "1-3",       "--journal=y"};
    char *text = journal_work(8, words, 0xab);
    assert_non_null(strstr(text, "bench windmill --seeds 1-3 @00000000000000ab, carom "));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),   cmocka_unit_test(test_recall),
        cmocka_unit_test(test_ends),    cmocka_unit_test(test_words),
        cmocka_unit_test(test_torn),    cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_foreign), cmocka_unit_test(test_lock),
        cmocka_unit_test(test_work),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
