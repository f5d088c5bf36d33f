#include "terminal/scenes.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The installed scenes lie beside the program, wherever the whole was put. False if there are none.
static bool installed_folder(char *text, size_t size)
{
    ssize_t length = readlink("/proc/self/exe", text, size);
    if (length <= 0 || (size_t)length >= size - sizeof CAROM_SCENES_INSTALLED) {
        return false;
    }
    text[length] = 0;
    char *name = strrchr(text, '/');
    if (!name) {
        return false;
    }
    memcpy(name + 1, CAROM_SCENES_INSTALLED, sizeof CAROM_SCENES_INSTALLED);
    return access(text, R_OK) == 0;
}

const char *scene_folder(void)
{
    static char installed[1024];
    const char *folder = getenv("CAROM_SCENES");
    if (folder) {
        return folder;
    }
    return installed_folder(installed, sizeof installed) ? installed : CAROM_SCENES;
}

char *scene_find(const char *word)
{
    char pattern[1024];
    glob_t found = {0};
    char *path = NULL;
    if (access(word, F_OK) != 0 && strlen(word) < 200 && !strpbrk(word, "*?[\\")) {
        bool has_folder = strchr(word, '/') != NULL;
        snprintf(pattern, sizeof pattern, "%s/%s%s.yaml", scene_folder(), has_folder ? "" : "*/",
                 word);
        if (glob(pattern, 0, NULL, &found) == 0) {
            path = strdup(found.gl_pathv[0]);
            globfree(&found);
            return path;
        }
        globfree(&found);
    }
    return strdup(word);
}

// The nearest of the scenes that came with carom, with their folder and without, and of what lies
// beside the file that the word would be.
static void suggest_scene(const char *word)
{
    char pattern[1200];
    glob_t found = {0};
    const char *slash = strrchr(word, '/');
    snprintf(pattern, sizeof pattern, "%s/*/*.yaml", scene_folder());
    glob(pattern, 0, NULL, &found);
    size_t shipped = found.gl_pathc, count = 0;
    snprintf(pattern, sizeof pattern, "%.*s*.yaml", slash ? (int)(slash + 1 - word) : 0, word);
    glob(pattern, GLOB_APPEND, NULL, &found);
    const char **names = calloc(2 * found.gl_pathc + 1, sizeof *names);
    for (size_t i = 0; names && i < found.gl_pathc; i++) {
        char *path = found.gl_pathv[i];
        if (i < shipped) {
            path[strlen(path) - strlen(".yaml")] = 0;
            names[count++] = strrchr(path, '/') + 1;
            names[count++] = path + strlen(scene_folder()) + 1;
        } else {
            names[count++] = path;
        }
    }
    fprintf(stderr, "carom: no scene \"%s\"", shown(word));
    print_suggestion(word, names, (int)count);
    fprintf(stderr, "`carom list scenes` shows the scenes that came with carom\n");
    free(names);
    globfree(&found);
}

int scene_refuse(const char *word, cr_status status, cr_report *report)
{
    int code = report_print(status, report);
    if (access(word, F_OK) != 0 && status == CR_ERR_FILE) {
        suggest_scene(word);
    }
    return code;
}
