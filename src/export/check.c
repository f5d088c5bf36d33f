// A playback is made by code, yet often from files of strangers; a bad index must end in a
// sentence, not in a writer that reads where it should not.

#include "export/export.h"

#include <math.h>

#include "base/vec.h"

static cr_status fail(cr_report *report, const char *thing, int index, const char *rule)
{
    return cri_fail(report, CR_ERR_RANGE, (cri_location){0}, "playback: %s %d %s", thing, index,
                    rule);
}

static bool finite_pose(cr_pose pose)
{
    cr_quat q = pose.rotation;
    double square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    return cri_finite3(pose.position) && square > 0.25 && square < 4;
}

static bool good_hull(const cr_hull *hull)
{
    bool good = hull && hull->corner_count >= 4 && hull->corner_count <= CR_HULL_MAX_CORNERS &&
                hull->face_count >= 4 && hull->face_count <= CR_HULL_MAX_FACES;
    for (int i = 0; good && i < hull->corner_count; i++) {
        good = cri_finite3(hull->corners[i]);
    }
    for (int f = 0; good && f < hull->face_count; f++) {
        const cr_hull_face *face = &hull->faces[f];
        good = face->count >= 3 && face->first >= 0 && face->first <= CR_HULL_MAX_RING &&
               face->count <= CR_HULL_MAX_RING - face->first;
        for (int i = 0; good && i < face->count; i++) {
            int corner = hull->ring[face->first + i];
            good = corner >= 0 && corner < hull->corner_count;
        }
    }
    return good;
}

static bool good_shape(const cr_shape *shape)
{
    switch (shape->kind) {
    case CR_SHAPE_PLANE:
        return true;
    case CR_SHAPE_SPHERE:
        return isfinite(shape->radius) && shape->radius > 0;
    case CR_SHAPE_BOX:
        return cri_finite3(shape->half) && shape->half.x > 0 && shape->half.y > 0 &&
               shape->half.z > 0;
    case CR_SHAPE_HULL:
        return good_hull(shape->hull);
    case CR_SHAPE_CYLINDER:
    case CR_SHAPE_CAPSULE:
        return isfinite(shape->radius) && shape->radius > 0 && isfinite(shape->half.z) &&
               shape->half.z > 0;
    case CR_SHAPE_PRISM:
        for (int i = 0; i < shape->point_count && i < CR_PRISM_MAX_POINTS; i++) {
            if (!isfinite(shape->points[i].x) || !isfinite(shape->points[i].y)) {
                return false;
            }
        }
        return shape->point_count >= 3 && shape->point_count <= CR_PRISM_MAX_POINTS &&
               isfinite(shape->half.z) && shape->half.z > 0;
    }
    return false;
}

static bool good_parts(const cr_playback_body *body)
{
    for (int i = 0; i < body->part_count; i++) {
        if (!good_shape(&body->parts[i].shape) || !finite_pose(body->parts[i].pose)) {
            return false;
        }
    }
    return true;
}

static cr_status check_bodies(const cr_playback *playback, cr_report *report)
{
    int moving = 0;
    for (int b = 0; b < playback->body_count; b++) {
        const cr_playback_body *body = &playback->bodies[b];
        if (!finite_pose(body->pose)) {
            return fail(report, "body", b, "must have a finite pose with a unit rotation");
        }
        if (body->moving && body->track != moving++) {
            return fail(report, "body", b, "must have its index among the moving bodies as track");
        }
        if (!good_parts(body)) {
            return fail(report, "body", b, "must have parts of finite size above 0");
        }
    }
    if (moving != playback->track_count) {
        return cri_fail(report, CR_ERR_RANGE, (cri_location){0},
                        "playback: there must be a track a moving body, got %d for %d",
                        playback->track_count, moving);
    }
    return CR_OK;
}

// A region may be endless in height, and only there.
static bool good_region(const cr_region *region)
{
    cr_shape shape = region->shape;
    shape.half.z = isinf(shape.half.z) ? 1 : shape.half.z;
    return good_shape(&shape) && finite_pose(region->pose);
}

static bool good_node(const cr_playback *playback, const cr_playback_node *node, int number)
{
    return isfinite(node->x) && isfinite(node->y) && isfinite(node->z) && node->parent >= -1 &&
           node->parent < number && node->body >= 0 && node->body < playback->body_count;
}

// The points of the ends go on from those of the tree.
static cr_status check_tree(const cr_playback *playback, cr_report *report)
{
    const char *rule = "must have a finite place, a body and an earlier parent";
    for (int n = 0; n < playback->node_count; n++) {
        if (!good_node(playback, &playback->nodes[n], n)) {
            return fail(report, "node", n, rule);
        }
    }
    for (int e = 0; e < playback->end_count; e++) {
        const cr_playback_end *end = &playback->ends[e];
        if (!good_node(playback, &end->at, playback->node_count + e)) {
            return fail(report, "end", e, rule);
        }
        if (end->reason < -1 || end->reason >= playback->reason_count) {
            return fail(report, "end", e, "must have a reason, or -1");
        }
    }
    return CR_OK;
}

static cr_status check_places(const cr_playback *playback, cr_report *report)
{
    for (int r = 0; r < playback->region_count; r++) {
        if (!good_region(&playback->regions[r])) {
            return fail(report, "region", r, "must have a finite pose and size above 0");
        }
    }
    for (int l = 0; l < playback->line_count; l++) {
        for (int i = 0; i < playback->lines[l].point_count; i++) {
            if (!cri_finite3(playback->lines[l].points[i])) {
                return fail(report, "line", l, "must have finite points");
            }
        }
    }
    return check_tree(playback, report);
}

// Bodies, regions and Skills that are named exist, and marks have a size.
static cr_status check_decor(const cr_playback *playback, cr_report *report)
{
    const cr_decor *decor = &playback->decor;
    for (int i = 0; i < decor->dress_count; i++) {
        const cr_dress *dress = &decor->dresses[i];
        if (dress->body < 0 || dress->body >= playback->body_count ||
            (unsigned)dress->finish >= CR_FINISH_COUNT) {
            return fail(report, "dress", i, "must have a body and a known finish");
        }
    }
    for (int i = 0; i < decor->mark_count; i++) {
        const cr_mark *m = &decor->marks[i];
        bool good = m->body >= -1 && m->body < playback->body_count && cri_finite3(m->at) &&
                    cri_finite3(m->size) && isfinite(m->heading + m->width + m->from + m->to);
        for (int k = 0; good && k < m->point_count; k++) {
            good = cri_finite3(m->points[k]);
        }
        if (m->kind == CR_MARK_ROPE) {
            good = good && m->point_count == 2 && m->other >= -1 && m->other < playback->body_count;
        }
        if (!good) {
            return fail(report, "mark", i, "must have finite numbers and a body or none");
        }
    }
    return CR_OK;
}

static cr_status check_goals(const cr_playback *playback, cr_report *report)
{
    for (int i = 0; i < playback->goal_count; i++) {
        if (playback->goals[i] < 0 || playback->goals[i] >= playback->region_count) {
            return fail(report, "goal", i, "must be a region");
        }
    }
    for (int i = 0; i < playback->tactic_count; i++) {
        const cr_playback_tactic *t = &playback->tactics[i];
        bool good = t->body >= 0 && t->body < playback->body_count && t->start >= 0 &&
                    t->start < t->skill_count;
        for (int k = 0; good && k < 2 * t->way_count; k++) {
            good = t->ways[k] >= 0 && t->ways[k] < t->skill_count;
        }
        if (!good) {
            return fail(report, "Tactic", i, "must have a body and ways between its Skills");
        }
    }
    return CR_OK;
}

static bool good_contact(const cr_playback *playback, const cr_playback_world *world,
                         const cr_playback_contact *contact)
{
    return contact->frame >= 0 && contact->frame < world->frame_count && contact->a >= 0 &&
           contact->a < playback->body_count && contact->b >= 0 &&
           contact->b < playback->body_count && cri_finite3(contact->point) &&
           isfinite(contact->impulse);
}

static bool good_frames(const cr_playback *playback, const cr_playback_world *world)
{
    size_t count = (size_t)world->frame_count * (size_t)playback->track_count;
    for (size_t i = 0; i < count; i++) {
        if (!finite_pose(world->frames[i]) ||
            (world->velocities && !cri_finite3(world->velocities[i])) ||
            (world->spins && !cri_finite3(world->spins[i]))) {
            return false;
        }
    }
    return true;
}

static bool good_inputs(const cr_playback_world *world)
{
    const cr_playback_inputs *inputs = world->inputs;
    if (!inputs) {
        return true;
    }
    if (!inputs->about || inputs->column_count < 1) {
        return false;
    }
    size_t count = (size_t)world->frame_count * (size_t)inputs->column_count;
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(inputs->values[i])) {
            return false;
        }
    }
    return true;
}

static bool good_plan(const cr_playback *playback, int w)
{
    const cr_playback_world *world = &playback->worlds[w];
    if (!world->planned) {
        return w == 0 || !playback->worlds[w - 1].planned;
    }
    return w > 0 && world->from >= 0 && world->from < playback->worlds[0].frame_count;
}

static cr_status check_world(const cr_playback *playback, int w, cr_report *report)
{
    const cr_playback_world *world = &playback->worlds[w];
    if (world->frame_count < 1) {
        return fail(report, "world", w, "must have at least one frame");
    }
    if (!isfinite(world->score)) {
        return fail(report, "world", w, "must have a finite score");
    }
    if (!good_plan(playback, w)) {
        return fail(report, "world", w,
                    "must come after all worlds that are no plans, and a plan "
                    "must begin within the first one");
    }
    if (!good_frames(playback, world)) {
        return fail(report, "world", w, "must have finite poses, rotations and velocities");
    }
    if (!good_inputs(world)) {
        return fail(report, "world", w, "must have inputs of at least one column, all finite");
    }
    for (int i = 0; i < world->contact_count; i++) {
        if (!good_contact(playback, world, &world->contacts[i])) {
            return fail(report, "world", w, "must have contacts of known bodies in known frames");
        }
    }
    for (int i = 0; i < world->span_count; i++) {
        const cr_playback_span *span = &world->spans[i];
        if (span->from < 0 || span->to < span->from || span->to >= world->frame_count) {
            return fail(report, "world", w, "must have spans within its frames");
        }
    }
    return CR_OK;
}

cr_status cri_playback_check(const cr_playback *playback, cr_report *report)
{
    if (playback->world_count < 1) {
        return cri_fail(report, CR_ERR_RANGE, (cri_location){0},
                        "playback: there must be at least one world, got %d",
                        playback->world_count);
    }
    if (!isfinite(playback->frame_seconds) || playback->frame_seconds <= 0) {
        return cri_fail(report, CR_ERR_RANGE, (cri_location){0},
                        "playback: frame_seconds must be > 0, got %g", playback->frame_seconds);
    }
    cr_status status = check_bodies(playback, report);
    if (status == CR_OK) {
        status = check_places(playback, report);
    }
    if (status == CR_OK) {
        status = check_decor(playback, report);
    }
    if (status == CR_OK) {
        status = check_goals(playback, report);
    }
    for (int w = 0; status == CR_OK && w < playback->world_count; w++) {
        status = check_world(playback, w, report);
    }
    return status;
}
