// How joints look: a small dark pin on a body, where the joint holds it and, if it has an axis,
// along that one of the body's own axes that is nearest to it. A rope is one.
#include <math.h>

#include "base/vec.h"
#include "export/show.h"

static const uint32_t COLOR = 0x2b2b2b;
// Against the reach of the body: thin enough to be overlooked, thick enough to be found.
static const double SHARE = 0.06, LEAST = 0.006, MOST = 0.04; // m
// Of a rope, against its length.
static const uint32_t ROPE_COLOR = 0xb49a6a;
static const double ROPE_SHARE = 0.006, ROPE_LEAST = 0.004, ROPE_MOST = 0.03; // m

// The end that shows it: one that moves, the second rather than the first.
static int shown_end(const cr_model *model, const cr_joint *j)
{
    return j->bodies[1] >= 0 && cr_model_body(model, j->bodies[1])->slot >= 0 ? 1 : 0;
}

static cr_mark mark_of(const cr_model *model, const cr_joint *j)
{
    int end = shown_end(model, j);
    const cr_body *body = cr_model_body(model, j->bodies[end]);
    double thick = cri_clamp(SHARE * body->radius, LEAST, MOST);
    cr_vec3 size = {thick, thick, thick}, at = j->frames[end].position;
    cr_vec3 axis = cri_rotate(j->frames[end].rotation, cri_vec3(0, 0, 1));
    if (j->kind == CR_JOINT_HINGE || j->kind == CR_JOINT_SLIDER) {
        double x = fabs(axis.x), y = fabs(axis.y), z = fabs(axis.z);
        double *longest = z >= x && z >= y ? &size.z : y >= x ? &size.y : &size.x;
        *longest = 4 * thick;
    }
    at.z -= size.z / 2;
    return (cr_mark){.kind = CR_MARK_BLOCK,
                     .finish = CR_FINISH_METAL,
                     .color = COLOR,
                     .body = j->bodies[end],
                     .at = at,
                     .size = size};
}

static cr_mark rope_of(const cr_joint *j, cr_vec3 ends[2])
{
    ends[0] = j->frames[0].position;
    ends[1] = j->frames[1].position;
    return (cr_mark){.kind = CR_MARK_ROPE,
                     .finish = CR_FINISH_PLAIN,
                     .color = ROPE_COLOR,
                     .body = j->bodies[0],
                     .other = j->bodies[1],
                     .size = {j->length, 0, 0},
                     .width = cri_clamp(ROPE_SHARE * j->length, ROPE_LEAST, ROPE_MOST),
                     .point_count = 2,
                     .points = ends};
}

void cri_show_joints(const cr_model *model, cr_mark *marks, cr_vec3 *ends)
{
    for (int i = 0; i < cr_model_joint_count(model); i++) {
        const cr_joint *j = cr_model_joint(model, i);
        marks[i] = j->kind == CR_JOINT_ROPE ? rope_of(j, &ends[2 * i]) : mark_of(model, j);
    }
}
