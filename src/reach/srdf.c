// SRDF: which links may touch, which link is the tip, where the arm rests.
#include "reach/urdf.h"

#include <stdio.h>
#include <string.h>

#include "base/vec.h"
#include "reach/xml.h"

typedef struct srdf {
    cr_arm *arm;
    cr_report *report;
    bool has_tip;
    int states;       // group states begun
    char group[128];  // of the first chain
    char open[128];   // the group that is open
    bool first_state; // inside of the first group state of that group
} srdf;

// The index of a link that an attribute names; -1 after an error.
static int named_link(srdf *s, const cri_element *e, const char *attribute)
{
    const char *name = cri_attribute(e, attribute);
    int link = name ? cr_arm_find_link(s->arm, name) : -1;
    if (link >= 0) {
        return link;
    }
    cri_suggestion near = {.word = name ? name : ""};
    for (int i = 0; i < s->arm->link_count; i++) {
        cri_suggest(&near, s->arm->links[i].name);
    }
    char hint[160];
    cri_fail(s->report, CR_ERR_NAME, e->place, "<%s>: %s must name a link, got \"%.80s\"%s",
             e->name, attribute, name ? name : "", cri_suggestion_print(&near, hint, sizeof hint));
    return -1;
}

static bool allow(srdf *s, const cri_element *e)
{
    int a = named_link(s, e, "link1"), b = a < 0 ? -1 : named_link(s, e, "link2");
    if (b < 0) {
        return false;
    }
    cri_arm_allow(s->arm, a, b);
    return true;
}

static bool set_tip(srdf *s, const cri_element *e)
{
    int tip = named_link(s, e, "tip_link");
    if (tip < 0) {
        return false;
    }
    if (!s->has_tip) {
        s->has_tip = true;
        s->arm->tip = tip;
        snprintf(s->group, sizeof s->group, "%s", s->open);
    }
    return true;
}

// Joints that do not move are passed over: SRDFs give them values too.
static bool set_rest(srdf *s, const cri_element *e)
{
    const char *name = cri_attribute(e, "name");
    double value = 0;
    if (!name) {
        cri_fail(s->report, CR_ERR_NAME, e->place, "<joint> needs the attribute \"name\"");
        return false;
    }
    if (!cri_attribute_numbers(e, "value", &value, 1, s->report)) {
        return false;
    }
    int dof = cr_arm_find_dof(s->arm, name);
    if (dof >= 0) {
        s->arm->rest[dof] = cri_clamp(value, s->arm->dofs[dof].low, s->arm->dofs[dof].high);
    }
    return true;
}

static bool on_open(void *context, const cri_element *e)
{
    srdf *s = context;
    const char *name =
        cri_attribute(e, e->depth == 1 && strcmp(e->name, "group_state") == 0 ? "group" : "name");
    if (strcmp(e->name, "disable_collisions") == 0) {
        return allow(s, e);
    }
    if (e->depth == 1 && strcmp(e->name, "group") == 0) {
        snprintf(s->open, sizeof s->open, "%s", name ? name : "");
    }
    if (strcmp(e->name, "chain") == 0) {
        return set_tip(s, e);
    }
    if (e->depth == 1 && strcmp(e->name, "group_state") == 0) {
        s->first_state = s->states == 0 && name && strcmp(name, s->group) == 0;
        s->states += s->first_state;
    }
    if (strcmp(e->name, "joint") == 0 && s->first_state) {
        return set_rest(s, e);
    }
    return true;
}

static bool on_close(void *context, const char *name, int depth)
{
    srdf *s = context;
    if (depth == 1 && strcmp(name, "group_state") == 0) {
        s->first_state = false;
    }
    return true;
}

cr_status cri_srdf_apply(cr_arm *arm, const cr_arm_text *text, cr_report *report)
{
    srdf s = {.arm = arm, .report = report};
    cri_xml_def xml = {text->srdf, text->srdf_length, text->srdf_name, on_open, on_close, &s};
    return cri_xml_read(&xml, report);
}
