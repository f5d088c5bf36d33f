#include "engine/joints/linkage.h"

#include "base/vec.h"

// Rows by kind: what it holds exactly, and within bounds.
static const int row_counts[] = {
    [CR_JOINT_HINGE] = 5, [CR_JOINT_SLIDER] = 5, [CR_JOINT_BALL] = 3,
    [CR_JOINT_WELD] = 6,  [CR_JOINT_ROPE] = 0,
};
static const int box_counts[] = {
    [CR_JOINT_HINGE] = 2, [CR_JOINT_SLIDER] = 2, [CR_JOINT_BALL] = 3,
    [CR_JOINT_WELD] = 0,  [CR_JOINT_ROPE] = 1,
};

static bool is_pushed(const cr_model *model, int body)
{
    return body >= 0 && model->bodies[body].slot >= 0 && !model->bodies[body].driven;
}

static bool are_neighbours(const cr_model *model, const cr_joint *a, const cr_joint *b)
{
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 2; k++) {
            if (a->bodies[i] == b->bodies[k] && is_pushed(model, a->bodies[i])) {
                return true;
            }
        }
    }
    return false;
}

static int neighbour_count(const cr_model *model, int joint)
{
    int count = 0;
    for (int i = 0; i < model->joint_count; i++) {
        count += i != joint && are_neighbours(model, &model->joints[i], &model->joints[joint]);
    }
    return count;
}

// The end of an island that was not reached yet: the joint with the fewest neighbours.
static int next_end(const cr_model *model, const bool *reached)
{
    int best = -1, least = 0;
    for (int i = 0; i < model->joint_count; i++) {
        int count = reached[i] ? 0 : neighbour_count(model, i);
        if (!reached[i] && (best < 0 || count < least)) {
            best = i;
            least = count;
        }
    }
    return best;
}

static void make_link(cri_linkage *l, const cr_model *model, int joint, int island)
{
    const cr_joint *j = &model->joints[joint];
    cri_tie *link = &l->links[l->count++];
    *link = (cri_tie){.joint = j,
                      .index = joint,
                      .row = l->row_count,
                      .row_count = row_counts[j->kind],
                      .box = l->box_count,
                      .box_count = box_counts[j->kind],
                      .island = island};
    l->row_count += link->row_count;
    l->box_count += link->box_count;
    for (int i = 0; i < 2; i++) {
        const cr_body *body = j->bodies[i] < 0 ? NULL : &model->bodies[j->bodies[i]];
        if (body && body->slot >= 0) {
            link->limbs[i] = body->slot;
            link->levers[i] = j->frames[i].position;
            link->turns[i] = j->frames[i].rotation;
            l->held[body->slot] = true;
            l->limb_island[body->slot] = body->driven ? -1 : island;
        } else {
            cr_pose at = body ? cri_pose_mul(body->pose, j->frames[i]) : j->frames[i];
            link->limbs[i] = l->ground;
            link->anchors[i] = at.position;
            link->turns[i] = at.rotation;
        }
    }
}

// Breadth first.
static void order_island(cri_linkage *l, const cr_model *model, int end, bool *reached)
{
    int first = l->count, island = l->island_count++;
    l->island_row[island] = l->row_count;
    l->island_link[island] = first;
    reached[end] = true;
    make_link(l, model, end, island);
    for (int i = first; i < l->count; i++) {
        for (int k = 0; k < model->joint_count; k++) {
            if (!reached[k] && are_neighbours(model, l->links[i].joint, &model->joints[k])) {
                reached[k] = true;
                make_link(l, model, k, island);
            }
        }
    }
}

// The first row of its neighbours, if that is before its own.
static int first_column(const cri_linkage *l, const cr_model *model, const cri_tie *link)
{
    for (int i = l->island_link[link->island]; &l->links[i] < link; i++) {
        if (are_neighbours(model, l->links[i].joint, link->joint)) {
            return l->links[i].row;
        }
    }
    return link->row;
}

static void lay_envelopes(cri_linkage *l, const cr_model *model)
{
    for (int i = 0; i < l->count; i++) {
        const cri_tie *link = &l->links[i];
        int first = first_column(l, model, link);
        for (int row = link->row; row < link->row + link->row_count; row++) {
            l->row_start[row] = first;
            l->row_at[row] = l->factor_size - (size_t)first; // each row before has one at least
            l->factor_size += (size_t)(row - first + 1);
        }
    }
}

// The limbs of each island, and where a link has its own among them.
static void list_limbs(cri_linkage *l, int slots)
{
    int count = 0;
    for (int island = 0; island < l->island_count; island++) {
        l->island_limb[island] = count;
        for (int slot = 0; slot < slots; slot++) {
            if (l->limb_island[slot] == island) {
                l->limbs[count++] = slot;
            }
        }
    }
    l->island_limb[l->island_count] = count;
    for (int i = 0; i < l->count; i++) {
        cri_tie *link = &l->links[i];
        int first = l->island_limb[link->island], end = l->island_limb[link->island + 1];
        int rows = l->island_row[link->island + 1] - l->island_row[link->island];
        for (int k = 0; k < 2; k++) {
            link->places[k] = -1;
            for (int at = first; at < end; at++) {
                link->places[k] = l->limbs[at] == link->limbs[k] ? at - first : link->places[k];
            }
        }
        l->answer_size += (size_t)link->box_count * (size_t)rows;
        l->move_size += (size_t)link->box_count * (size_t)(end - first);
    }
}

bool cri_linkage_make(cri_linkage *l, const cr_model *model, cri_arena *arena)
{
    size_t joints = (size_t)model->joint_count, slots = (size_t)model->moving_count;
    size_t rows = joints * CRI_JOINT_ROWS_MAX;
    *l = (cri_linkage){.ground = model->moving_count};
    l->links = cri_arena_alloc(arena, joints, sizeof *l->links);
    l->row_start = cri_arena_alloc(arena, rows, sizeof *l->row_start);
    l->row_at = cri_arena_alloc(arena, rows, sizeof *l->row_at);
    l->island_row = cri_arena_alloc(arena, joints + 1, sizeof(int));
    l->island_link = cri_arena_alloc(arena, joints + 1, sizeof(int));
    l->held = cri_arena_alloc(arena, slots, sizeof *l->held);
    l->limb_island = cri_arena_alloc(arena, slots, sizeof(int));
    l->limbs = cri_arena_alloc(arena, slots, sizeof(int));
    l->island_limb = cri_arena_alloc(arena, joints + 1, sizeof(int));
    bool *reached = cri_arena_alloc(arena, joints, sizeof *reached);
    if (!l->links || !l->row_start || !l->row_at || !l->island_row || !l->island_link || !l->held ||
        !l->limb_island || !l->limbs || !l->island_limb || !reached) {
        return false;
    }
    for (int i = 0; i < model->moving_count; i++) {
        l->limb_island[i] = -1;
    }
    for (int end = next_end(model, reached); end >= 0; end = next_end(model, reached)) {
        order_island(l, model, end, reached);
    }
    l->island_row[l->island_count] = l->row_count;
    l->island_link[l->island_count] = l->count;
    lay_envelopes(l, model);
    list_limbs(l, model->moving_count);
    return true;
}
