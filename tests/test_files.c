// Writing files: in which order the system is asked, what is left when it refuses, and who may read
// the file then. The calls pass through this program (see CMakeLists.txt).
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <dirent.h>
#include <cmocka.h>

#include <carom/carom.h>

int __real_fsync(int file);
int __real_rename(const char *from, const char *to);
ssize_t __real_write(int file, const void *data, size_t length);
int __real_close(int file);
int __wrap_fsync(int file);
int __wrap_rename(const char *from, const char *to);
ssize_t __wrap_write(int file, const void *data, size_t length);
int __wrap_close(int file);
mode_t __wrap_umask(mode_t mask);

static bool watching;
static char
    seen[64]; // a letter a call: w write, f fsync of a file, d of a folder, r rename, c close
static char refused; // the letter whose first call fails

static bool refuse(char letter)
{
    size_t used = strlen(seen);
    if (!watching) {
        return false;
    }
    if (used < sizeof seen - 1) {
        seen[used] = letter;
    }
    errno = EIO;
    return letter == refused;
}

int __wrap_fsync(int file)
{
    struct stat info;
    fstat(file, &info);
    return refuse(S_ISDIR(info.st_mode) ? 'd' : 'f') ? -1 : __real_fsync(file);
}

int __wrap_rename(const char *from, const char *to)
{
    return refuse('r') ? -1 : __real_rename(from, to);
}

ssize_t __wrap_write(int file, const void *data, size_t length)
{
    return refuse('w') ? -1 : __real_write(file, data, length);
}

int __wrap_close(int file)
{
    bool fails = refuse('c');
    return __real_close(file) != 0 || fails ? -1 : 0;
}

mode_t __wrap_umask(mode_t mask)
{
    (void)mask;
    fail_msg("the umask belongs to the whole process");
    return 0;
}

// ---------------------------------------------------------------------------------------------

static char folder[64], path[96];

static int open_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/carom-files-XXXXXX");
    snprintf(path, sizeof path, "%s", mkdtemp(folder) ? folder : "");
    strcat(path, "/file");
    memset(seen, 0, sizeof seen);
    refused = 0;
    return 0;
}

static void put(const char *text, mode_t mode)
{
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, mode);
    assert_true(file >= 0);
    assert_int_equal(__real_write(file, text, strlen(text)), strlen(text));
    assert_int_equal(fchmod(file, mode), 0);
    __real_close(file);
}

static const char *content(void)
{
    static char text[64];
    FILE *file = fopen(path, "r");
    size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
    text[length] = 0;
    if (file) {
        fclose(file);
    }
    return file ? text : "(none)";
}

static int entries(void)
{
    int count = -2; // . and ..
    DIR *d = opendir(folder);
    while (readdir(d)) {
        count++;
    }
    closedir(d);
    return count;
}

static mode_t rights(void)
{
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    return info.st_mode & 0777;
}

static int close_folder(void **state)
{
    (void)state;
    watching = false;
    unlink(path);
    return rmdir(folder); // fails if anything was left behind
}

static cr_status write_new(void)
{
    watching = true;
    cr_status status = cr_file_write(path, "new", 3, NULL);
    watching = false;
    return status;
}

static void a_file_is_on_the_disk_before_it_has_its_name(void **state)
{
    (void)state;
    assert_int_equal(write_new(), CR_OK);
    assert_string_equal(seen, "wfcrdc");
    assert_string_equal(content(), "new");
}

// Whatever is refused, the old file is there, or none, and nothing beside it. Behind the rename the
// new one is, and the caller is still told.
static void a_refused_call_leaves_the_old_file(void **state)
{
    (void)state;
    static const char letters[] = "wfcrd";
    for (int there = 0; there < 2; there++) {
        for (const char *letter = letters; *letter; letter++) {
            unlink(path);
            if (there) {
                put("old", 0644);
            }
            memset(seen, 0, sizeof seen);
            refused = *letter;
            assert_int_equal(write_new(), CR_ERR_FILE);
            refused = 0;
            bool renamed = *letter == 'd';
            assert_string_equal(content(), renamed ? "new" : (there ? "old" : "(none)"));
            assert_int_equal(entries(), there || renamed);
        }
    }
}

static void a_file_keeps_its_rights(void **state)
{
    (void)state;
    static const mode_t modes[] = {0600, 0640, 0644, 0660, 0666, 0700, 0755};
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        put("old", modes[i]);
        assert_int_equal(write_new(), CR_OK);
        assert_int_equal(rights(), modes[i]);
        assert_string_equal(content(), "new");
    }
    unlink(path);
    assert_int_equal(write_new(), CR_OK);
    FILE *plain = fopen("/proc/self/status", "r"); // the umask, without touching it
    char line[128];
    unsigned mask = 022;
    while (plain && fgets(line, sizeof line, plain)) {
        sscanf(line, "Umask: %o", &mask);
    }
    fclose(plain);
    assert_int_equal(rights(), 0666 & ~mask);
}

static void a_link_is_followed(void **state)
{
    (void)state;
    char link[96];
    struct stat info;
    snprintf(link, sizeof link, "%s/link", folder);
    put("old", 0600);
    assert_int_equal(symlink("file", link), 0);
    assert_int_equal(cr_file_write(link, "new", 3, NULL), CR_OK);
    assert_string_equal(content(), "new");
    assert_int_equal(rights(), 0600);
    assert_int_equal(lstat(link, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    unlink(path); // to nowhere
    assert_int_equal(cr_file_write(link, "new", 3, NULL), CR_ERR_FILE);
    assert_int_equal(cr_file_try(link, NULL), CR_ERR_FILE);
    unlink(link);
}

// Trying says what writing would, and changes nothing.
static void trying_is_writing_without_a_file(void **state)
{
    (void)state;
    char name[257], longest[400], longer[400];
    memset(name, 'x', sizeof name);
    snprintf(longest, sizeof longest, "%s/%.255s", folder, name); // as long as a name may be
    snprintf(longer, sizeof longer, "%s/%.256s", folder, name);
    char below[128], missing[128];
    snprintf(below, sizeof below, "%s/x", path);
    snprintf(missing, sizeof missing, "%s/no/x", folder);
    put("old", 0644);
    const char *const paths[] = {path,   longest,   longer,      below, missing,
                                 folder, "/proc/x", "/dev/null", "",    "/dev/full/x"};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        cr_status tried = cr_file_try(paths[i], NULL);
        assert_string_equal(content(), "old");
        assert_int_equal(entries(), 1);
        assert_int_equal(cr_file_write(paths[i], "old", 3, NULL), tried);
        if (paths[i] == longest) {
            assert_int_equal(tried, CR_OK);
            unlink(longest);
        }
    }
    assert_int_equal(cr_file_try("/dev/full", NULL), CR_OK);
    assert_int_equal(cr_file_write("/dev/full", "x", 1, NULL), CR_ERR_FILE);
}

// ---------------------------------------------------------------------------------------------

// Every byte, alone and in every well-formed and broken company, and cut at every length.
static void shown_text_is_harmless(void **state)
{
    (void)state;
    cr_rng rng = cr_rng_make(1, CR_RNG_USER, 0);
    static const char *const pieces[] = {"a",        "\x1b[31m",     "\xc2\x9b", "\xe2\x80\xae",
                                         "\xff",     "\xe2\x80",     "\n",       "\xf0\x9f\x8e\xb1",
                                         "\xc3\xbc", "\xed\xa0\x80", "\x7f",     "\r",
                                         "\\",       "\xd8\x9c"};
    for (int round = 0; round < 20000; round++) {
        char text[64] = "", out[64];
        int count = 1 + (int)cr_rng_index(&rng, 8);
        for (int i = 0; i < count; i++) {
            size_t piece = (size_t)cr_rng_index(&rng, sizeof pieces / sizeof pieces[0]);
            strcat(text, pieces[piece]);
        }
        size_t size = 4 + (size_t)cr_rng_index(&rng, 60);
        cr_text_show(text, out, size);
        assert_true(strlen(out) < size);
        for (const unsigned char *c = (const unsigned char *)out; *c; c++) {
            assert_true(*c >= 32 && *c != 127);
            bool control = (c[0] == 0xC2 && c[1] < 0xA0) || (c[0] == 0xD8 && c[1] == 0x9C) ||
                           (c[0] == 0xE2 && c[1] == 0x80 && c[2] == 0xAE);
            assert_false(control);
            assert_true(*c < 0xF8 && *c != 0xED);
        }
        assert_null(strstr(out, "\xff"));
    }
    char out[32];
    assert_string_equal(cr_text_show("a\x1b\n\xc3\xbc", out, sizeof out), "a\\x1b\\n\xc3\xbc");
    assert_string_equal(cr_text_show("\xc2\x9b", out, sizeof out), "\\xc2\\x9b");
    assert_string_equal(cr_text_show("abcdefgh", out, 8), "abcd...");
    assert_string_equal(cr_text_show("abcdefg", out, 8), "abcdefg");
    assert_string_equal(cr_text_show("", out, 4), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_file_is_on_the_disk_before_it_has_its_name, open_folder,
                                        close_folder),
        cmocka_unit_test_setup_teardown(a_refused_call_leaves_the_old_file, open_folder,
                                        close_folder),
        cmocka_unit_test_setup_teardown(a_file_keeps_its_rights, open_folder, close_folder),
        cmocka_unit_test_setup_teardown(a_link_is_followed, open_folder, close_folder),
        cmocka_unit_test_setup_teardown(trying_is_writing_without_a_file, open_folder,
                                        close_folder),
        cmocka_unit_test(shown_text_is_harmless),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
