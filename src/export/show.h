// From a plan to a playback, in two parts: what happens in its solutions (show.c), and the search
// tree with the ends of its branches (show_tree.c).
#ifndef CRI_SHOW_H
#define CRI_SHOW_H

#include "base/playback.h"
#include "carom/plan.h"

// A list that grows while a replay runs; its items move to the arena at the end. Zero at first.
typedef struct cri_show_list {
    void *items;
    int count, capacity;
} cri_show_list;

// Whether there was memory for it.
bool cri_show_add(cri_show_list *list, const void *item, size_t size);

// The items, in the playback's memory; NULL: there is none. The list is empty then.
void *cri_show_settle(cri_playback *show, cri_show_list *list, size_t size);

// A copy that lives as long as the playback, or NULL.
const char *cri_show_text(cri_playback *show, const char *text);

// The marks of a model's joints, one each, and where ropes end: two points a joint. show_joints.c.
void cri_show_joints(const cr_model *model, cr_mark *marks, cr_vec3 *ends);

// The tree's points, and where and why its branches ended.
cr_status cri_show_tree(cri_playback *show, const cr_planner *planner, const cr_model *model,
                        cr_report *report);

#endif
