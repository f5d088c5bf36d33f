// Files of hulls, read with the scene that names them.
#ifndef CRI_HULLS_H
#define CRI_HULLS_H

#include "base/file.h"
#include "scene/scene.h"

typedef struct cri_splices {
    cri_splice *items; // malloc
    int count;
} cri_splices;

// The text of a scene in which points stand where hulls named files beside it, and where those are
// in it. A scene without such files leaves text and splices as they are: empty.
cr_status cri_scene_take_hulls(const cr_scene *scene, cri_text *text, cri_splices *splices,
                               cr_report *report);

#endif
