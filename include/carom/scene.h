/// @file scene.h
/// A scene is a text: bodies, materials, regions, Tactics, a goal and rules, in YAML or JSON.
/// docs/scene-format.md has every key. Reading finds all errors of syntax; cr_model_create finds
/// all errors of meaning.
///
/// Threads: a scene may be read by any number of threads at once, but not while cr_scene_set runs.
#ifndef CAROM_SCENE_H
#define CAROM_SCENE_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A read scene. Immutable but for cr_scene_set; may be used to create any number of models.
typedef struct cr_scene cr_scene;

/// The longest scene text that is read, in bytes. A file that is larger is refused before it is
/// read.
#define CR_SCENE_MAX_BYTES (4 << 20)

/// Read a scene file, and the files of hulls that it names. On failure *scene is NULL and the
/// report has at least one error.
CR_API cr_status cr_scene_read(const char *path, cr_scene **scene, cr_report *report);

/// Read a scene from memory; name stands for the file in messages.
CR_API cr_status cr_scene_read_text(const char *text, size_t length, const char *name,
                                    cr_scene **scene, cr_report *report);

/// Free it; NULL is allowed. Models that were made of it stay as they are.
CR_API void cr_scene_destroy(cr_scene *scene);

/// Give a parameter another value: one of the scene's own `parameters:`, or one of the planner's
/// (see cr_parameter_count). The value is a text as it would stand in the file: "3", "90 deg",
/// "bgt". It is checked by cr_model_create, like the rest. Setting twice keeps the later value.
/// Fails with CR_ERR_NAME for an unknown name.
CR_API cr_status cr_scene_set(cr_scene *scene, const char *name, const char *value,
                              cr_report *report);

/// The scene's name, as in `name:`; the file's name without folder and ending if it has none.
CR_API const char *cr_scene_name(const cr_scene *scene);

/// What the scene says of itself in `about:`; empty if nothing.
CR_API const char *cr_scene_about(const cr_scene *scene);

/// The text that was read, and the name or path given to it. Where the file names files of hulls,
/// the text has their points in their place: it needs no other file.
CR_API const char *cr_scene_text(const cr_scene *scene, size_t *length);
CR_API const char *cr_scene_path(const cr_scene *scene);

/// What cr_scene_set has set, in the order of the first setting.
CR_API int cr_scene_setting_count(const cr_scene *scene);
CR_API const char *cr_scene_setting_name(const cr_scene *scene, int index);
CR_API const char *cr_scene_setting_value(const cr_scene *scene, int index);

/// The scene's own parameters (`parameters:`), with their text in the file.
CR_API int cr_scene_parameter_count(const cr_scene *scene);
CR_API const char *cr_scene_parameter_name(const cr_scene *scene, int index);
CR_API const char *cr_scene_parameter_text(const cr_scene *scene, int index);

#ifdef __cplusplus
}
#endif

#endif
