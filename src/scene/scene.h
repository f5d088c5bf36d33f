// The inside of a read scene: its text, the tree made of it, and what was set since.
#ifndef CRI_SCENE_H
#define CRI_SCENE_H

#include "base/arena.h"
#include "carom/scene.h"
#include "base/document.h"

typedef struct cri_setting {
    const char *name, *value;
} cri_setting;

struct cr_scene {
    cri_arena arena; // of everything but the settings' array
    const char *text;
    size_t length;
    const char *path, *name, *about;
    cri_splice *splices; // of hulls' files in the text
    int splice_count;
    const cri_node *root;
    const cri_node *parameters; // a map of scalars and other things, or NULL
    cri_setting *settings;      // malloc
    int setting_count, setting_capacity;
};

// A scene of its own with the same text and settings.
cr_status cri_scene_copy(const cr_scene *scene, cr_scene **copy, cr_report *report);

// Where a scene says what stands under a key of its top level and, unless NULL, under a key in
// that; the nearest place there is where it says nothing.
cri_location cri_scene_location(const cr_scene *scene, const char *key, const char *inner);

// Whether it says anything there, both keys given.
bool cri_scene_has(const cr_scene *scene, const char *key, const char *inner);

// cr_scene_set for a name that is known to be a parameter, of the scene or of the planner.
cr_status cri_scene_set(cr_scene *scene, const char *name, const char *value, cr_report *report);

// What name is set to, or NULL.
const char *cri_scene_setting(const cr_scene *scene, const char *name);

#endif
