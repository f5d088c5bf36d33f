// URDF into an arm, in three steps: read elements into lists of links, joints and solids, each with
// its place; check that the joints make a tree; add the links to an arm, parents first.
#include "reach/arm.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/trig.h"
#include "base/vec.h"
#include "geom/points.h"
#include "reach/urdf.h"
#include "reach/xml.h"

enum { MAX_LINKS = CRI_ARM_MAX_LINKS, MAX_SOLIDS = CRI_ARM_MAX_SOLIDS, FILE_MAX = 16 << 20 };

static const cr_pose identity = {{0, 0, 0}, {0, 0, 0, 1}};

typedef struct link_def {
    const char *name;
    cri_location place;
    int joint; // that it hangs on, or -1
    int added; // index in the arm, or -1
} link_def;

typedef struct joint_def {
    const char *name, *type, *parent, *child, *mimic;
    cri_location place;
    cr_pose origin;
    cr_vec3 axis;
    double lower, upper, multiplier, offset;
    double soft_lower, soft_upper; // of a safety controller
    bool limited;                  // by lower or upper
    int parent_link, child_link, dof;
} joint_def;

typedef struct solid_def {
    cri_reach_solid solid; // link: index into links
    cr_pose origin;
    bool shaped;
    cri_location place;
} solid_def;

typedef struct urdf {
    cri_arena arena;
    cr_report *report;
    const char *file;
    const char *name;
    bool soft; // soft limits were warned about
    int link_count, joint_count, solid_count;
    link_def links[MAX_LINKS];
    joint_def joints[MAX_LINKS];
    solid_def solids[MAX_SOLIDS];
} urdf;

// ---------------------------------------------------------------------------------------------
// Reading.

static bool fail(urdf *u, cr_status status, cri_location place, const char *message,
                 const char *what)
{
    cri_fail(u->report, status, place, message, what);
    return false;
}

static const char *keep(urdf *u, const char *text)
{
    return cri_arena_text(&u->arena, text, strlen(text));
}

// A needed attribute, copied; NULL after an error.
static const char *need(urdf *u, cri_element *e, const char *attribute)
{
    const char *value = cri_attribute_needed(e, attribute, u->report);
    return value ? keep(u, value) : NULL;
}

static int find_link(const urdf *u, const char *name)
{
    for (int i = 0; i < u->link_count; i++) {
        if (strcmp(u->links[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

static joint_def *last_joint(urdf *u)
{
    return &u->joints[u->joint_count - 1];
}

static solid_def *last_solid(urdf *u)
{
    return &u->solids[u->solid_count - 1];
}

static int find_joint(const urdf *u, const char *name)
{
    for (int i = 0; i < u->joint_count; i++) {
        if (strcmp(u->joints[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

static bool open_robot(void *context, cri_element *e)
{
    urdf *u = context;
    const char *name = cri_attribute(e, "name");
    u->name = keep(u, name ? name : "robot");
    return true;
}

static bool open_link(void *context, cri_element *e)
{
    urdf *u = context;
    const char *name = need(u, e, "name");
    if (!name) {
        return false;
    }
    if (find_link(u, name) >= 0) {
        return fail(u, CR_ERR_NAME, e->place, "there are two links \"%.80s\"", name);
    }
    if (u->link_count == MAX_LINKS) {
        return fail(u, CR_ERR_RANGE, e->place,
                    "at most 128 links are supported; \"%.80s\" is one more", name);
    }
    u->links[u->link_count++] = (link_def){name, e->place, -1, -1};
    return true;
}

static bool open_joint(void *context, cri_element *e)
{
    urdf *u = context;
    const char *name = need(u, e, "name"), *type = name ? need(u, e, "type") : NULL;
    if (!type) {
        return false;
    }
    if (find_joint(u, name) >= 0) {
        return fail(u, CR_ERR_NAME, e->place, "there are two joints \"%.80s\"", name);
    }
    if (u->joint_count == MAX_LINKS) {
        return fail(u, CR_ERR_RANGE, e->place,
                    "at most 128 joints are supported; \"%.80s\" is one more", name);
    }
    u->joints[u->joint_count++] = (joint_def){.name = name,
                                              .type = type,
                                              .place = e->place,
                                              .origin = identity,
                                              .axis = {1, 0, 0},
                                              .multiplier = 1,
                                              .soft_lower = -HUGE_VAL,
                                              .soft_upper = HUGE_VAL,
                                              .dof = -1};
    return true;
}

// Roll, pitch, yaw about fixed axes.
static bool read_origin(urdf *u, cri_element *e, cr_pose *origin)
{
    double xyz[3] = {0}, rpy[3] = {0};
    if (!cri_attribute_numbers(e, "xyz", xyz, 3, u->report) ||
        !cri_attribute_numbers(e, "rpy", rpy, 3, u->report)) {
        return false;
    }
    if (cri_attribute(e, "quat_xyzw")) {
        return fail(u, CR_ERR_NAME, e->place, "<%s>: quat_xyzw is not supported; give rpy",
                    e->name);
    }
    cr_quat x = cri_quat_axis(cri_vec3(1, 0, 0), rpy[0]);
    cr_quat y = cri_quat_axis(cri_vec3(0, 1, 0), rpy[1]);
    cr_quat z = cri_quat_axis(cri_vec3(0, 0, 1), rpy[2]);
    *origin = (cr_pose){{xyz[0], xyz[1], xyz[2]}, cri_quat_mul(z, cri_quat_mul(y, x))};
    return true;
}

static bool open_joint_origin(void *context, cri_element *e)
{
    urdf *u = context;
    return read_origin(u, e, &last_joint(u)->origin);
}

static bool open_parent(void *context, cri_element *e)
{
    urdf *u = context;
    return (last_joint(u)->parent = need(u, e, "link")) != NULL;
}

static bool open_child(void *context, cri_element *e)
{
    urdf *u = context;
    return (last_joint(u)->child = need(u, e, "link")) != NULL;
}

static bool open_axis(void *context, cri_element *e)
{
    urdf *u = context;
    double axis[3] = {1, 0, 0};
    if (!cri_attribute_numbers(e, "xyz", axis, 3, u->report)) {
        return false;
    }
    last_joint(u)->axis = cri_vec3(axis[0], axis[1], axis[2]);
    return true;
}

static bool open_limit(void *context, cri_element *e)
{
    urdf *u = context;
    joint_def *joint = last_joint(u);
    bool lower = cri_attribute(e, "lower") != NULL, upper = cri_attribute(e, "upper") != NULL;
    joint->limited = lower || upper;
    return cri_attribute_numbers(e, "lower", &joint->lower, 1, u->report) &&
           cri_attribute_numbers(e, "upper", &joint->upper, 1, u->report);
}

static bool open_safety_controller(void *context, cri_element *e)
{
    urdf *u = context;
    joint_def *joint = last_joint(u);
    return cri_attribute_numbers(e, "soft_lower_limit", &joint->soft_lower, 1, u->report) &&
           cri_attribute_numbers(e, "soft_upper_limit", &joint->soft_upper, 1, u->report);
}

static bool open_mimic(void *context, cri_element *e)
{
    urdf *u = context;
    joint_def *joint = last_joint(u);
    joint->mimic = need(u, e, "joint");
    return joint->mimic &&
           cri_attribute_numbers(e, "multiplier", &joint->multiplier, 1, u->report) &&
           cri_attribute_numbers(e, "offset", &joint->offset, 1, u->report);
}

static bool open_collision(void *context, cri_element *e)
{
    urdf *u = context;
    if (u->solid_count == MAX_SOLIDS) {
        return fail(u, CR_ERR_RANGE, e->place, "at most %s collision shapes are supported", "512");
    }
    u->solids[u->solid_count++] =
        (solid_def){.solid = {.link = u->link_count - 1}, .origin = identity, .place = e->place};
    return true;
}

static bool close_collision(void *context)
{
    urdf *u = context;
    const solid_def *def = last_solid(u);
    return def->shaped ||
           fail(u, CR_ERR_SYNTAX, def->place, "<%s> needs a <geometry> with a shape", "collision");
}

static bool open_solid_origin(void *context, cri_element *e)
{
    urdf *u = context;
    return read_origin(u, e, &last_solid(u)->origin);
}

static bool open_geometry(void *context, cri_element *e)
{
    (void)context, (void)e;
    return true;
}

// A size that must be there and positive.
static bool read_size(urdf *u, cri_element *e, const char *name, double *values, int count)
{
    if (!cri_attribute_needed(e, name, u->report) ||
        !cri_attribute_numbers(e, name, values, count, u->report)) {
        return false;
    }
    for (int i = 0; i < count; i++) {
        if (!(values[i] > 0)) {
            cri_fail(u->report, CR_ERR_RANGE, e->place, "<%s>: %s must be > 0, got %g", e->name,
                     name, values[i]);
            return false;
        }
    }
    return true;
}

// The solid that a shape is read into; NULL after an error.
static cri_reach_solid *new_shape(urdf *u, const cri_element *e, cri_reach_solid_kind kind)
{
    solid_def *def = last_solid(u);
    if (def->shaped) {
        fail(u, CR_ERR_SYNTAX, e->place, "<geometry> has a second shape: <%.60s>", e->name);
        return NULL;
    }
    def->shaped = true;
    def->solid.kind = kind;
    def->solid.pose = identity;
    return &def->solid;
}

static bool open_sphere(void *context, cri_element *e)
{
    urdf *u = context;
    cri_reach_solid *solid = new_shape(u, e, CRI_REACH_SOLID_BALL);
    return solid && read_size(u, e, "radius", &solid->radius, 1);
}

static bool open_box(void *context, cri_element *e)
{
    urdf *u = context;
    double size[3] = {0};
    cri_reach_solid *solid = new_shape(u, e, CRI_REACH_SOLID_BOX);
    if (!solid || !read_size(u, e, "size", size, 3)) {
        return false;
    }
    solid->half = cri_vec3(size[0] / 2, size[1] / 2, size[2] / 2);
    return true;
}

static bool read_round(urdf *u, cri_element *e, cri_reach_solid_kind kind)
{
    double length = 0;
    cri_reach_solid *solid = new_shape(u, e, kind);
    if (!solid || !read_size(u, e, "radius", &solid->radius, 1) ||
        !read_size(u, e, "length", &length, 1)) {
        return false;
    }
    solid->half = cri_vec3(0, 0, length / 2);
    return true;
}

static bool open_cylinder(void *context, cri_element *e)
{
    return read_round(context, e, CRI_REACH_SOLID_CYLINDER);
}

static bool open_capsule(void *context, cri_element *e)
{
    return read_round(context, e, CRI_REACH_SOLID_CAPSULE);
}

// Beside the robot's file unless the name starts at the root; a scheme (package://) is left out.
static void mesh_path(const urdf *u, const char *file, char *path, size_t size)
{
    const char *scheme = strstr(file, "://"), *slash = strrchr(u->file, '/');
    file = scheme ? scheme + 3 : file;
    int folder = file[0] != '/' && slash ? (int)(slash - u->file) + 1 : 0;
    snprintf(path, size, "%.*s%s", folder, u->file, file);
}

static bool open_mesh(void *context, cri_element *e)
{
    urdf *u = context;
    double scale[3] = {1, 1, 1};
    cri_reach_solid *solid = new_shape(u, e, CRI_REACH_SOLID_BOX);
    const char *file = solid ? need(u, e, "filename") : NULL;
    if (!file || !cri_attribute_numbers(e, "scale", scale, 3, u->report)) {
        return false;
    }
    char path[1024];
    mesh_path(u, file, path, sizeof path);
    cri_points b;
    if (cri_points_read(path, e->place, false, &b, u->report) != CR_OK) {
        return false;
    }
    cr_vec3 low = {b.low.x * scale[0], b.low.y * scale[1], b.low.z * scale[2]};
    cr_vec3 high = {b.high.x * scale[0], b.high.y * scale[1], b.high.z * scale[2]};
    cr_vec3 size = cri_scale(0.5, cri_sub(high, low));
    solid->half = cri_vec3(fabs(size.x), fabs(size.y), fabs(size.z));
    solid->pose = (cr_pose){cri_scale(0.5, cri_add(low, high)), {0, 0, 0, 1}};
    solid->bounds = true;
    return true;
}

// The tables. What belongs to drawing, dynamics, controllers and simulators says nothing about
// where the arm can go.

static const cri_xml_row in_geometry[] = {
    {.name = "sphere", .open = open_sphere},
    {.name = "box", .open = open_box},
    {.name = "cylinder", .open = open_cylinder},
    {.name = "capsule", .open = open_capsule},
    {.name = "mesh", .open = open_mesh},
    {.name = "*",
     .kind = CRI_XML_REFUSED,
     .why = "unknown shape; there are sphere, box, cylinder, capsule and mesh"},
    {0},
};

static const cri_xml_row in_collision[] = {
    {.name = "origin", .once = true, .open = open_solid_origin},
    {.name = "geometry", .once = true, .open = open_geometry, .inside = in_geometry},
    {.name = "verbose", .kind = CRI_XML_IDLE},
    {.name = "material", .kind = CRI_XML_IDLE},
    {.name = "contact_coefficients", .kind = CRI_XML_IDLE},
    {.name = "drake:*", .kind = CRI_XML_IDLE},
    {0},
};

static const cri_xml_row in_link[] = {
    {.name = "collision",
     .idle = "name group",
     .open = open_collision,
     .close = close_collision,
     .inside = in_collision},
    {.name = "visual", .kind = CRI_XML_IDLE},
    {.name = "inertial", .kind = CRI_XML_IDLE},
    {.name = "contact", .kind = CRI_XML_IDLE},
    {.name = "sensor", .kind = CRI_XML_IDLE},
    {.name = "xacro:*", .kind = CRI_XML_REFUSED, .why = "xacro must be expanded first"},
    {0},
};

static const cri_xml_row in_joint[] = {
    {.name = "origin", .once = true, .open = open_joint_origin},
    {.name = "parent", .once = true, .open = open_parent},
    {.name = "child", .once = true, .open = open_child},
    {.name = "axis", .once = true, .open = open_axis},
    {.name = "limit",
     .once = true,
     .idle = "effort velocity acceleration deceleration jerk drake:acceleration drake:jerk",
     .open = open_limit},
    {.name = "mimic", .once = true, .open = open_mimic},
    {.name = "safety_controller",
     .once = true,
     .idle = "k_position k_velocity",
     .open = open_safety_controller},
    {.name = "dynamics", .kind = CRI_XML_IDLE},
    {.name = "calibration", .kind = CRI_XML_IDLE},
    {.name = "hardwareInterface", .kind = CRI_XML_IDLE},
    {.name = "xacro:*", .kind = CRI_XML_REFUSED, .why = "xacro must be expanded first"},
    {0},
};

static const cri_xml_row in_robot[] = {
    {.name = "link", .idle = "type", .open = open_link, .inside = in_link},
    {.name = "joint", .open = open_joint, .inside = in_joint},
    {.name = "material", .kind = CRI_XML_IDLE},
    {.name = "gazebo", .kind = CRI_XML_IDLE},
    {.name = "transmission", .kind = CRI_XML_IDLE},
    {.name = "ros2_control", .kind = CRI_XML_IDLE},
    {.name = "sensor", .kind = CRI_XML_IDLE},
    {.name = "mujoco", .kind = CRI_XML_IDLE},
    {.name = "loop_joint", .kind = CRI_XML_REFUSED, .why = "loops of joints are not supported"},
    {.name = "xacro:*", .kind = CRI_XML_REFUSED, .why = "xacro must be expanded first"},
    {0},
};

static const cri_xml_row in_file[] = {
    {.name = "robot", .idle = "version path", .open = open_robot, .inside = in_robot},
    {.name = "*", .kind = CRI_XML_REFUSED, .why = "a robot file starts with <robot>"},
    {0},
};

// ---------------------------------------------------------------------------------------------
// Checking.

static bool resolve_link(urdf *u, const joint_def *joint, const char *name, const char *role,
                         int *link)
{
    if (!name) {
        cri_fail(u->report, CR_ERR_NAME, joint->place, "joint \"%.80s\" needs a <%s>", joint->name,
                 role);
        return false;
    }
    *link = find_link(u, name);
    if (*link < 0) {
        cri_suggestion near = {.word = name};
        for (int i = 0; i < u->link_count; i++) {
            cri_suggest(&near, u->links[i].name);
        }
        char hint[160];
        cri_fail(u->report, CR_ERR_NAME, joint->place, "joint \"%.80s\": no link \"%.80s\"%s",
                 joint->name, name, cri_suggestion_print(&near, hint, sizeof hint));
        return false;
    }
    return true;
}

// Soft limits are where a controller begins to brake; problems are posed up to the hard ones.
static void warn_of_soft_limits(urdf *u, const joint_def *joint)
{
    if (!u->soft && (joint->soft_lower > joint->lower || joint->soft_upper < joint->upper)) {
        u->soft = true;
        cri_warn(u->report, joint->place,
                 "joint \"%.80s\": the soft limits of a <safety_controller> have no effect; it "
                 "moves from %g to %g",
                 joint->name, joint->lower, joint->upper);
    }
}

static bool check_limits(urdf *u, joint_def *joint)
{
    bool turns = strcmp(joint->type, "revolute") == 0,
         slides = strcmp(joint->type, "prismatic") == 0;
    if (strcmp(joint->type, "continuous") == 0) {
        joint->lower = -CRI_PI;
        joint->upper = CRI_PI;
    } else if ((turns || slides) && !joint->limited && !joint->mimic) {
        return fail(u, CR_ERR_NAME, joint->place,
                    "joint \"%.80s\" needs a <limit> with lower and upper", joint->name);
    } else if (joint->lower > joint->upper) {
        cri_fail(u->report, CR_ERR_RANGE, joint->place,
                 "joint \"%.80s\": limits must be lower <= upper, got %g and %g", joint->name,
                 joint->lower, joint->upper);
        return false;
    }
    warn_of_soft_limits(u, joint);
    return true;
}

static bool check_joint(urdf *u, int index)
{
    joint_def *joint = &u->joints[index];
    static const char *const types[] = {"revolute", "continuous", "prismatic", "fixed"};
    bool known = false;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        known = known || strcmp(joint->type, types[i]) == 0;
    }
    if (!known) {
        cri_fail(u->report, CR_ERR_NAME, joint->place,
                 "joint \"%.80s\": type must be revolute, continuous, prismatic or fixed, got "
                 "\"%.60s\"",
                 joint->name, joint->type);
        return false;
    }
    if (!resolve_link(u, joint, joint->parent, "parent", &joint->parent_link) ||
        !resolve_link(u, joint, joint->child, "child", &joint->child_link)) {
        return false;
    }
    if (strcmp(joint->type, "fixed") != 0 && cri_length(joint->axis) < 1e-9) {
        return fail(u, CR_ERR_RANGE, joint->place, "joint \"%.80s\": the axis must not be zero",
                    joint->name);
    }
    link_def *child = &u->links[joint->child_link];
    if (child->joint >= 0) {
        cri_fail(u->report, CR_ERR_NAME, joint->place,
                 "link \"%.80s\" has two parents: joints \"%.80s\" and \"%.80s\"", child->name,
                 u->joints[child->joint].name, joint->name);
        return false;
    }
    child->joint = index;
    return check_limits(u, joint);
}

static bool check_mimic(urdf *u, const joint_def *joint)
{
    if (!joint->mimic || strcmp(joint->type, "fixed") == 0) {
        return true;
    }
    int leader = find_joint(u, joint->mimic);
    if (leader < 0 || u->joints[leader].mimic || strcmp(u->joints[leader].type, "fixed") == 0) {
        cri_fail(u->report, CR_ERR_NAME, joint->place,
                 "joint \"%.80s\": mimic must name a joint that moves by itself, got \"%.80s\"",
                 joint->name, joint->mimic);
        return false;
    }
    return true;
}

static bool check_tree(urdf *u)
{
    bool good = true;
    for (int i = 0; i < u->joint_count; i++) {
        good = check_joint(u, i) && good;
    }
    for (int i = 0; i < u->joint_count && good; i++) {
        good = check_mimic(u, &u->joints[i]);
    }
    if (!good) {
        return false;
    }
    int root = -1;
    for (int i = 0; i < u->link_count; i++) {
        if (u->links[i].joint < 0 && root >= 0) {
            cri_fail(u->report, CR_ERR_NAME, u->links[i].place,
                     "links \"%.80s\" and \"%.80s\" both have no parent; one robot has one root",
                     u->links[root].name, u->links[i].name);
            return false;
        }
        root = u->links[i].joint < 0 ? i : root;
    }
    if (u->link_count == 0) {
        return fail(u, CR_ERR_NAME, (cri_location){u->file, 1, 1}, "robot \"%.80s\" has no links",
                    u->name);
    }
    return root >= 0 ||
           fail(u, CR_ERR_NAME, u->links[0].place,
                "the joints make a loop: every link has a parent, \"%.80s\" too", u->links[0].name);
}

// ---------------------------------------------------------------------------------------------
// Building.

// The degree of freedom of a joint that moves, once it is there.
static int arm_dof(const urdf *u, const joint_def *joint)
{
    return (joint->mimic ? &u->joints[find_joint(u, joint->mimic)] : joint)->dof;
}

// The degree of freedom of a joint: its own, or that of the joint it mimics.
static int joint_dof(urdf *u, cr_arm *arm, joint_def *joint)
{
    joint_def *leader = joint->mimic ? &u->joints[find_joint(u, joint->mimic)] : joint;
    if (leader->dof < 0) {
        leader->dof = cri_arm_add_dof(arm, (cr_arm_dof){.name = leader->name,
                                                        .low = leader->lower,
                                                        .high = leader->upper,
                                                        .slides = leader->type[0] == 'p'});
    }
    return leader->dof;
}

// What files say about joints by name needs them all, also those that do not move.
static bool add_joint(const urdf *u, cr_arm *arm, const link_def *link)
{
    const joint_def *joint = &u->joints[link->joint];
    bool fixed = strcmp(joint->type, "fixed") == 0;
    return cri_arm_add_joint(arm, (cri_joint){.name = joint->name,
                                              .link = link->added,
                                              .dof = fixed ? -1 : arm_dof(u, joint),
                                              .follows = !fixed && joint->mimic,
                                              .endless = joint->type[0] == 'c',
                                              .scale = joint->multiplier,
                                              .offset = joint->offset});
}

static bool add_link(urdf *u, cr_arm *arm, int index)
{
    link_def *link = &u->links[index];
    cri_link_def def = {.name = link->name, .parent = -1, .rest = identity};
    if (link->joint >= 0) {
        joint_def *joint = &u->joints[link->joint];
        def.parent = u->links[joint->parent_link].added;
        def.rest = joint->origin;
        def.axis = joint->axis;
        if (strcmp(joint->type, "fixed") != 0) {
            def.motion = joint->type[0] == 'p' ? CRI_REACH_MOTION_SLIDE : CRI_REACH_MOTION_TURN;
            def.dof = joint_dof(u, arm, joint);
            def.scale = joint->mimic ? joint->multiplier : 1;
            def.offset = joint->mimic ? joint->offset : 0;
        }
    }
    link->added = def.dof < 0 ? -1 : cri_arm_add_link(arm, &def);
    if (link->added < 0 || (link->joint >= 0 && !add_joint(u, arm, link))) {
        cri_fail(
            u->report, CR_ERR_RANGE, link->place,
            "at most %d joints that move and %d degrees of freedom are supported; \"%.80s\" is "
            "one more",
            CRI_ARM_MAX_FRAMES - 1, CR_ARM_MAX_DOFS, link->name);
        return false;
    }
    return true;
}

// Parents first: links are added as soon as their parent is there. What is never added hangs on a
// loop.
static bool add_links(urdf *u, cr_arm *arm)
{
    int added = 0;
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < u->link_count; i++) {
            const link_def *link = &u->links[i];
            bool ready = link->joint < 0 || u->links[u->joints[link->joint].parent_link].added >= 0;
            if (link->added >= 0 || !ready) {
                continue;
            }
            if (!add_link(u, arm, i)) {
                return false;
            }
            added++;
            more = true;
        }
    }
    for (int i = 0; i < u->link_count && added < u->link_count; i++) {
        if (u->links[i].added < 0) {
            return fail(u, CR_ERR_NAME, u->links[i].place,
                        "the joints make a loop: link \"%.80s\" never leads to the root",
                        u->links[i].name);
        }
    }
    return true;
}

// The link farthest from the root, the last one of these.
static int deepest_link(const cr_arm *arm)
{
    int best = 0, best_depth = -1;
    for (int i = 0; i < arm->link_count; i++) {
        int depth = 0;
        for (int k = i; k >= 0; k = arm->links[k].parent) {
            depth++;
        }
        if (depth >= best_depth) {
            best = i;
            best_depth = depth;
        }
    }
    return best;
}

static bool build(urdf *u, cr_arm *arm)
{
    if (!add_links(u, arm)) {
        return false;
    }
    for (int i = 0; i < u->solid_count; i++) {
        solid_def *def = &u->solids[i];
        def->solid.link = u->links[def->solid.link].added;
        cri_arm_add_solid(arm, def->solid, cri_pose_mul(def->origin, def->solid.pose));
    }
    if (arm->dof_count == 0) {
        return fail(u, CR_ERR_RANGE, (cri_location){u->file, 1, 1},
                    "robot \"%.80s\" has no joint that moves", u->name);
    }
    arm->tip = deepest_link(arm);
    return true;
}

static cr_status read_arm(urdf *u, const cr_arm_text *text, cr_arm **result)
{
    cri_xml_def xml = {text->urdf, text->urdf_length, text->urdf_name, in_file, u};
    cr_status status = cri_xml_read(&xml, u->report);
    if (status != CR_OK) {
        return status;
    }
    if (!check_tree(u)) {
        return CR_ERR_NAME;
    }
    cr_arm *arm = cri_arm_new(u->name);
    if (!arm) {
        return cri_fail_memory(u->report);
    }
    if (!build(u, arm)) {
        cr_arm_destroy(arm);
        return CR_ERR_RANGE;
    }
    *result = arm;
    return CR_OK;
}

cr_status cr_arm_parse(const cr_arm_text *text, cr_arm **arm, cr_report *report)
{
    *arm = NULL;
    urdf *u = calloc(1, sizeof *u);
    if (!u) {
        return cri_fail_memory(report);
    }
    u->report = report;
    u->file = text->urdf_name;
    cr_status status = read_arm(u, text, arm);
    cri_arena_free(&u->arena);
    free(u);
    if (status == CR_OK && text->srdf) {
        status = cri_srdf_apply(*arm, text, report);
    } else if (status == CR_OK) {
        cri_arm_allow_neighbours(*arm);
    }
    if (status != CR_OK) {
        cr_arm_destroy(*arm);
        *arm = NULL;
    } else {
        cri_arm_seal(*arm);
    }
    return status;
}

cr_status cr_arm_read(const char *urdf_path, const char *srdf_path, cr_arm **arm, cr_report *report)
{
    *arm = NULL;
    char *urdf_text = NULL, *srdf_text = NULL;
    cr_arm_text text = {.urdf_name = urdf_path, .srdf_name = srdf_path};
    cr_status status = cri_file_read(urdf_path, FILE_MAX, &urdf_text, &text.urdf_length, report);
    if (status == CR_OK && srdf_path) {
        status = cri_file_read(srdf_path, FILE_MAX, &srdf_text, &text.srdf_length, report);
    }
    if (status == CR_OK) {
        text.urdf = urdf_text;
        text.srdf = srdf_text;
        status = cr_arm_parse(&text, arm, report);
    }
    free(urdf_text);
    free(srdf_text);
    return status;
}
