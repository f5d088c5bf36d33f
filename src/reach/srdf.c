// SRDF: which links may touch, which joints are planned together, which link is the tip, where the
// arm rests, how it stands in the world.
//
// An SRDF is often written for a larger robot than the URDF at hand: what it says of links, joints
// and groups that are not there has no effect, and a warning says so.
#include "reach/urdf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "reach/xml.h"

enum { STRANGERS_MAX = 64, PARTS_MAX = 64, NAME_MAX_BYTES = 64 };

// A group inside of another.
typedef struct part {
    int group;
    char name[NAME_MAX_BYTES];
    cri_location place;
} part;

typedef struct srdf {
    cr_arm *arm;
    cr_report *report;
    bool has_tip, has_rest;
    int chain_group; // the group that the tip's chain belongs to, or -1
    bool opens_rest; // inside of the group state that the arm rests in
    int stranger_count;
    char strangers[STRANGERS_MAX][NAME_MAX_BYTES]; // names that were warned about
    int part_count;
    part parts[PARTS_MAX];
    bool enabled[CRI_ARM_MAX_LINKS][CRI_ARM_MAX_LINKS];
    bool lenient[CRI_ARM_MAX_LINKS]; // links that may touch whatever is not enabled
} srdf;

// ---------------------------------------------------------------------------------------------
// Names.

static const char *link_name(const cr_arm *arm, int i)
{
    return i < arm->link_count ? arm->links[i].name : NULL;
}

static const char *joint_name(const cr_arm *arm, int i)
{
    return i < arm->joint_count ? arm->joints[i].name : NULL;
}

static const char *group_name(const cr_arm *arm, int i)
{
    return i < arm->group_count ? arm->groups[i].name : NULL;
}

// Warn about a name that the robot has not, once.
static void warn_of_stranger(srdf *s, cri_location place, const char *sort, const char *name,
                             const char *(*known)(const cr_arm *, int))
{
    for (int i = 0; i < s->stranger_count; i++) {
        if (strncmp(s->strangers[i], name, NAME_MAX_BYTES - 1) == 0) {
            return;
        }
    }
    if (s->stranger_count < STRANGERS_MAX) {
        snprintf(s->strangers[s->stranger_count++], NAME_MAX_BYTES, "%s", name);
    }
    cri_suggestion near = {.word = name};
    for (int i = 0; known(s->arm, i); i++) {
        cri_suggest(&near, known(s->arm, i));
    }
    char hint[160];
    cri_warn(s->report, place,
             "the robot has no %s \"%.80s\": what the SRDF says of it has no effect%s", sort, name,
             cri_suggestion_print(&near, hint, sizeof hint));
}

// A link or joint that an attribute names. False after an error; *index is -1 after a warning.
static bool named_link(srdf *s, cri_element *e, const char *attribute, int *index)
{
    const char *name = cri_attribute_needed(e, attribute, s->report);
    if (!name) {
        return false;
    }
    *index = cr_arm_find_link(s->arm, name);
    if (*index < 0) {
        warn_of_stranger(s, e->place, "link", name, link_name);
    }
    return true;
}

static bool named_joint(srdf *s, cri_element *e, int *index)
{
    const char *name = cri_attribute_needed(e, "name", s->report);
    if (!name) {
        return false;
    }
    *index = cri_arm_find_joint(s->arm, name);
    if (*index < 0) {
        warn_of_stranger(s, e->place, "joint", name, joint_name);
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// Pairs.

static bool named_pair(srdf *s, cri_element *e, int *a, int *b)
{
    return named_link(s, e, "link1", a) && named_link(s, e, "link2", b);
}

static bool open_disable(void *context, cri_element *e)
{
    srdf *s = context;
    int a, b;
    if (!named_pair(s, e, &a, &b)) {
        return false;
    }
    if (a >= 0 && b >= 0) {
        cri_arm_allow(s->arm, a, b);
    }
    return true;
}

static bool open_enable(void *context, cri_element *e)
{
    srdf *s = context;
    int a, b;
    if (!named_pair(s, e, &a, &b)) {
        return false;
    }
    if (a >= 0 && b >= 0) {
        s->enabled[a][b] = s->enabled[b][a] = true;
    }
    return true;
}

static bool open_disable_default(void *context, cri_element *e)
{
    srdf *s = context;
    int link;
    if (!named_link(s, e, "link", &link)) {
        return false;
    }
    if (link >= 0) {
        s->lenient[link] = true;
    }
    return true;
}

static void allow_by_default(srdf *s)
{
    for (int a = 0; a < s->arm->link_count; a++) {
        for (int b = 0; b < s->arm->link_count && s->lenient[a]; b++) {
            if (a != b && !s->enabled[a][b]) {
                cri_arm_allow(s->arm, a, b);
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Groups.

static cri_joint_group *open_group_of(srdf *s)
{
    return &s->arm->groups[s->arm->group_count - 1];
}

static bool open_group(void *context, cri_element *e)
{
    srdf *s = context;
    const char *name = cri_attribute_needed(e, "name", s->report);
    if (!name) {
        return false;
    }
    if (s->arm->group_count == CRI_ARM_MAX_GROUPS) {
        cri_fail(s->report, CR_ERR_RANGE, e->place,
                 "at most %d groups are supported; \"%.80s\" is one more", CRI_ARM_MAX_GROUPS,
                 name);
        return false;
    }
    const char *kept = cri_arena_text(&s->arm->arena, name, strlen(name));
    s->arm->groups[s->arm->group_count++] = (cri_joint_group){.name = kept ? kept : "", .tip = -1};
    return true;
}

// Followers are moved by their leaders, and belong to the groups of these.
static void add_joint(cri_joint_group *group, const cri_joint *joint)
{
    if (joint->dof >= 0 && !joint->follows) {
        group->dofs |= (uint32_t)1 << joint->dof;
    }
}

static void add_joint_above(srdf *s, int link)
{
    for (int i = 0; i < s->arm->joint_count; i++) {
        if (s->arm->joints[i].link == link) {
            add_joint(open_group_of(s), &s->arm->joints[i]);
        }
    }
}

static bool open_group_joint(void *context, cri_element *e)
{
    srdf *s = context;
    int joint;
    if (!named_joint(s, e, &joint)) {
        return false;
    }
    if (joint >= 0) {
        add_joint(open_group_of(s), &s->arm->joints[joint]);
    }
    return true;
}

static bool open_group_link(void *context, cri_element *e)
{
    srdf *s = context;
    int link;
    if (!named_link(s, e, "name", &link)) {
        return false;
    }
    add_joint_above(s, link);
    return true;
}

static bool open_subgroup(void *context, cri_element *e)
{
    srdf *s = context;
    const char *name = cri_attribute_needed(e, "name", s->report);
    if (!name) {
        return false;
    }
    if (s->part_count == PARTS_MAX) {
        cri_fail(s->report, CR_ERR_RANGE, e->place, "at most %d groups inside of groups",
                 PARTS_MAX);
        return false;
    }
    part *p = &s->parts[s->part_count++];
    *p = (part){.group = s->arm->group_count - 1, .place = e->place};
    snprintf(p->name, sizeof p->name, "%s", name);
    return true;
}

// The joints from the base, without its own, to the tip. The first chain has the arm's tip.
static bool open_chain(void *context, cri_element *e)
{
    srdf *s = context;
    int base, tip;
    if (!named_link(s, e, "base_link", &base) || !named_link(s, e, "tip_link", &tip)) {
        return false;
    }
    if (tip < 0 || base < 0) {
        return true;
    }
    for (int link = tip; link >= 0 && link != base; link = s->arm->links[link].parent) {
        add_joint_above(s, link);
    }
    open_group_of(s)->tip = tip;
    if (!s->has_tip) {
        s->has_tip = true;
        s->arm->tip = tip;
        s->chain_group = s->arm->group_count - 1;
    }
    return true;
}

// Groups of groups, in any order: as often as there are groups, so that all levels are reached.
static void join_groups(srdf *s)
{
    for (int pass = 0; pass < s->arm->group_count; pass++) {
        for (int i = 0; i < s->part_count; i++) {
            const part *p = &s->parts[i];
            int inner = cri_arm_find_group(s->arm, p->name);
            if (inner < 0) {
                warn_of_stranger(s, p->place, "group", p->name, group_name);
            } else {
                s->arm->groups[p->group].dofs |= s->arm->groups[inner].dofs;
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Joints and the base.

static bool open_passive_joint(void *context, cri_element *e)
{
    srdf *s = context;
    int joint;
    if (!named_joint(s, e, &joint)) {
        return false;
    }
    if (joint >= 0 && s->arm->joints[joint].dof >= 0 && !s->arm->joints[joint].follows) {
        s->arm->passive |= (uint32_t)1 << s->arm->joints[joint].dof;
    }
    return true;
}

// The first state of the group that has the arm's tip is where the arm rests; others are names for
// configurations that nobody asks for.
static bool open_group_state(void *context, cri_element *e)
{
    srdf *s = context;
    const char *group = cri_attribute_needed(e, "group", s->report);
    if (!group) {
        return false;
    }
    s->opens_rest = !s->has_rest && s->chain_group >= 0 &&
                    strcmp(s->arm->groups[s->chain_group].name, group) == 0;
    s->has_rest = s->has_rest || s->opens_rest;
    return true;
}

static bool open_state_joint(void *context, cri_element *e)
{
    srdf *s = context;
    int joint;
    double value = 0;
    const char *text = cri_attribute_needed(e, "value", s->report);
    if (!text || !named_joint(s, e, &joint)) {
        return false;
    }
    int dof = joint >= 0 && !s->arm->joints[joint].follows ? s->arm->joints[joint].dof : -1;
    if (dof < 0 || !s->opens_rest) {
        return true;
    }
    if (!cri_attribute_numbers(e, "value", &value, 1, s->report)) {
        return false;
    }
    const cr_arm_dof *limits = &s->arm->dofs[dof];
    s->arm->rest[dof] = cri_clamp(value, limits->low, limits->high);
    if (s->arm->rest[dof] != value) {
        cri_warn(s->report, e->place, "joint \"%.80s\" rests at its limit %.9g, not at %.9g",
                 limits->name, s->arm->rest[dof], value);
    }
    return true;
}

static bool read_base(srdf *s, const cri_element *e, const char *type)
{
    static const char *const types[] = {"", "fixed", "planar", "floating"};
    for (int i = CRI_BASE_FIXED; i <= CRI_BASE_FLOATING; i++) {
        if (strcmp(type, types[i]) == 0) {
            s->arm->base = (cri_base)i;
            return true;
        }
    }
    cri_fail(s->report, CR_ERR_NAME, e->place,
             "<virtual_joint>: type must be fixed, planar or floating, got \"%.60s\"", type);
    return false;
}

// Between the world and the root; one that leads elsewhere has no effect.
static bool open_virtual_joint(void *context, cri_element *e)
{
    srdf *s = context;
    cr_arm *arm = s->arm;
    const char *name = cri_attribute_needed(e, "name", s->report);
    const char *type = cri_attribute_needed(e, "type", s->report);
    const char *frame = cri_attribute_needed(e, "parent_frame", s->report);
    int child;
    if (!name || !type || !frame || !named_link(s, e, "child_link", &child)) {
        return false;
    }
    if (child < 0 || arm->links[child].parent >= 0 || arm->base != CRI_BASE_UNKNOWN) {
        cri_warn(s->report, e->place,
                 "virtual joint \"%.80s\" has no effect: it must be the one that leads to the root",
                 name);
        return true;
    }
    name = cri_arena_text(&arm->arena, name, strlen(name));
    frame = cri_arena_text(&arm->arena, frame, strlen(frame));
    arm->base_joint = name ? name : "";
    arm->base_frame = frame ? frame : "";
    return read_base(s, e, type);
}

// ---------------------------------------------------------------------------------------------

static bool open_robot(void *context, cri_element *e)
{
    srdf *s = context;
    const char *name = cri_attribute(e, "name");
    if (name && strcmp(name, s->arm->name) != 0) {
        cri_warn(s->report, e->place, "the SRDF is for robot \"%.80s\", the URDF for \"%.80s\"",
                 name, s->arm->name);
    }
    return true;
}

static bool close_robot(void *context)
{
    srdf *s = context;
    allow_by_default(s);
    join_groups(s);
    return true;
}

static const cri_xml_row in_group[] = {
    {.name = "chain", .open = open_chain},
    {.name = "joint", .open = open_group_joint},
    {.name = "link", .open = open_group_link},
    {.name = "group", .open = open_subgroup},
    {.name = "passive_joint", .open = open_passive_joint},
    {0},
};

static const cri_xml_row in_group_state[] = {
    {.name = "joint", .open = open_state_joint},
    {0},
};

static const cri_xml_row in_robot[] = {
    {.name = "group", .open = open_group, .inside = in_group},
    {.name = "group_state", .idle = "name", .open = open_group_state, .inside = in_group_state},
    {.name = "virtual_joint", .open = open_virtual_joint},
    {.name = "passive_joint", .open = open_passive_joint},
    {.name = "disable_collisions", .idle = "reason", .open = open_disable},
    {.name = "enable_collisions", .idle = "reason", .open = open_enable},
    {.name = "disable_default_collisions", .open = open_disable_default},
    {.name = "end_effector", .kind = CRI_XML_IDLE},
    {.name = "joint_property", .kind = CRI_XML_IDLE},
    {.name = "link_sphere_approximation", .kind = CRI_XML_IDLE},
    {.name = "xacro:*", .kind = CRI_XML_REFUSED, .why = "xacro must be expanded first"},
    {0},
};

static const cri_xml_row in_file[] = {
    {.name = "robot",
     .idle = "version",
     .open = open_robot,
     .close = close_robot,
     .inside = in_robot},
    {.name = "*", .kind = CRI_XML_REFUSED, .why = "an SRDF file starts with <robot>"},
    {0},
};

cr_status cri_srdf_apply(cr_arm *arm, const cr_arm_text *text, cr_report *report)
{
    srdf *s = calloc(1, sizeof *s);
    if (!s) {
        return cri_fail_memory(report);
    }
    s->arm = arm;
    s->report = report;
    s->chain_group = -1;
    cri_xml_def xml = {text->srdf, text->srdf_length, text->srdf_name, in_file, s};
    cr_status status = cri_xml_read(&xml, report);
    free(s);
    return status;
}
