// What the files of `carom list` share.
#ifndef CLI_LIST_H
#define CLI_LIST_H

#include "load.h"

// What is asked for.
typedef struct list_ask {
    const char *what;    // "skills"
    const char *word;    // behind it, or NULL
    cr_library *library; // with what was loaded, or NULL
    bool markdown;
} list_ask;

// Something in the library.
typedef struct listed {
    const char *name, *about;
    const char *more; // behind what it is about
    const char *unit; // of a quantity, else NULL
    int param_count;
    const cr_param *params;
} listed;

// How things of a sort stand in a scene.
typedef enum list_style {
    LIST_NAMED,  // with parameters by name
    LIST_VALUES, // with a list of values
    LIST_PLAIN,  // by name alone
} list_style;

typedef struct list_sort {
    const char *name; // "skills"
    list_style style;
    int (*count)(const cr_library *library);
    listed (*at)(const cr_library *library, int index);
} list_sort;

// Each lists what is asked for and returns an exit code. (list_types.c, diagram.c)
int list_types(const list_ask *ask);
int list_tactics(const list_ask *ask); // draws those of a scene as an SVG picture

// A sort as markdown: part of docs/skills.md. (reference.c)
void reference(const list_sort *sort, const cr_library *library);

// ": [a, b]", its parameters; nothing if it has none. (list_types.c)
void print_values(const listed *type);

// The word for a sort of value: "number". (list_types.c)
const char *param_sort(cr_param_type type);

// JSON of what `carom list` knows, each one member. (list_json.c)
void json_params(const cr_param *params, int count);
void json_parameters(const cr_library *library);
void json_scene_parameters(const cr_scene *scene);

// One scene of a list.
void json_scene(const char *name, const char *path, const cr_scene *scene);

#endif
