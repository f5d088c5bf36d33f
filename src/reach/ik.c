// Inverse kinematics.
//
// The human arm in closed form (Tolani and Badler 1996): shoulder S and wrist W are known, so the
// elbow lies on a circle about the line S-W; the swivel angle picks a point of it.
//
//           E            n = (W - S)/d, a and b across
//      L1 /   \ L2       E = S + L1 (cos alpha n + sin alpha (cos phi a + sin phi b))
//        /     \         d^2 = L1^2 + L2^2 + 2 L1 L2 cos(elbow)
//       S --d-- W
//
// Swivel angles and root positions are tried until one keeps the limits and touches nothing; among
// the swivels of one root the most comfortable wins, far from its limits.
//
// Other arms: damped least squares on position and rotation, from rest and then random starts.
#include "reach/task.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/trig.h"
#include "base/vec.h"

enum { SWIVELS = 64, ROOTS = 24, RESTARTS = 60, STEPS = 120 };

// ---------------------------------------------------------------------------------------------
// The human.

// The rotation with the given axes.
static cr_quat quat_of_axes(cr_vec3 x, cr_vec3 y, cr_vec3 z)
{
    double t = x.x + y.y + z.z;
    cr_quat q;
    if (t > 0) {
        q = (cr_quat){y.z - z.y, z.x - x.z, x.y - y.x, 1 + t};
    } else if (x.x >= y.y && x.x >= z.z) {
        q = (cr_quat){1 + x.x - y.y - z.z, y.x + x.y, z.x + x.z, y.z - z.y};
    } else if (y.y >= z.z) {
        q = (cr_quat){y.x + x.y, 1 - x.x + y.y - z.z, z.y + y.z, z.x - x.z};
    } else {
        q = (cr_quat){z.x + x.z, z.y + y.z, 1 - x.x - y.y + z.z, x.y - y.x};
    }
    return cri_quat_unit(q);
}

// rotation = swing * twist, the twist about z: out[0..1] is the swing, out[2] the twist.
static void swing_twist(cr_quat q, double *out)
{
    double norm = sqrt(q.z * q.z + q.w * q.w);
    cr_quat twist = norm > 1e-9 ? (cr_quat){0, 0, q.z / norm, q.w / norm} : (cr_quat){0, 0, 0, 1};
    cr_quat swing = cri_quat_mul(q, cri_quat_conj(twist));
    double side = sqrt(swing.x * swing.x + swing.y * swing.y);
    double angle = 2 * cri_atan2(side, fabs(swing.w));
    double scale = side > 1e-12 ? angle / side : 2;
    scale = swing.w < 0 ? -scale : scale;
    out[0] = scale * swing.x;
    out[1] = scale * swing.y;
    out[2] = cri_wrap(2 * cri_atan2(twist.z, twist.w));
}

// Where shoulder and wrist are, and what the swivel turns.
typedef struct triangle {
    const cr_arm *arm;
    cr_pose target, shoulder;
    cr_vec3 wrist, n, a, b;
    double elbow, sin_alpha, cos_alpha;
} triangle;

// False if the wrist is out of reach.
static bool set_triangle(triangle *t, const cr_arm *arm, cr_pose target, const double *root)
{
    cr_pose frames[CRI_ARM_MAX_FRAMES];
    double q[CR_ARM_MAX_DOFS] = {0};
    memcpy(q, root, 3 * sizeof *q);
    cri_arm_frames(arm, q, frames);
    t->arm = arm;
    t->target = target;
    t->shoulder = frames[arm->human.shoulder];
    t->wrist = cri_pose_point(target, cri_vec3(0, 0, -arm->human.hand));
    cr_vec3 way = cri_sub(t->wrist, t->shoulder.position);
    double d = cri_length(way), l1 = arm->human.upper, l2 = arm->human.fore;
    double cosine = (d * d - l1 * l1 - l2 * l2) / (2 * l1 * l2);
    if (!(fabs(cosine) < 1) || d < 1e-6) {
        return false;
    }
    t->elbow = cri_atan2(sqrt(1 - cosine * cosine), cosine);
    t->cos_alpha = cri_clamp((l1 * l1 + d * d - l2 * l2) / (2 * l1 * d), -1, 1);
    t->sin_alpha = sqrt(1 - t->cos_alpha * t->cos_alpha);
    t->n = cri_scale(1 / d, way);
    cr_vec3 down = {0, 0, -1};
    t->a = cri_unit(cri_mad(down, -cri_dot(down, t->n), t->n), cri_vec3(1, 0, 0));
    t->b = cri_cross(t->n, t->a);
    return true;
}

// The arm's seven values for one swivel angle.
static void set_swivel(const triangle *t, double swivel, double *q)
{
    const cr_arm *arm = t->arm;
    cr_vec3 across = cri_add(cri_scale(cri_cos(swivel), t->a), cri_scale(cri_sin(swivel), t->b));
    cr_vec3 u = cri_add(cri_scale(t->cos_alpha, t->n), cri_scale(t->sin_alpha, across));
    cr_vec3 elbow = cri_mad(t->shoulder.position, arm->human.upper, u);
    cr_vec3 f = cri_scale(1 / arm->human.fore, cri_sub(t->wrist, elbow));
    // The elbow bends towards -x of the upper arm.
    cr_vec3 x = cri_unit(cri_sub(cri_scale(cri_dot(f, u), u), f), cri_vec3(1, 0, 0));
    cr_quat upper = quat_of_axes(x, cri_cross(u, x), u);
    cr_quat fore = cri_quat_mul(upper, cri_quat_axis(cri_vec3(0, 1, 0), -t->elbow));
    swing_twist(cri_quat_mul(cri_quat_conj(t->shoulder.rotation), upper),
                q + arm->frames[arm->human.shoulder].dof);
    q[arm->frames[arm->human.elbow].dof] = t->elbow;
    swing_twist(cri_quat_mul(cri_quat_conj(fore), t->target.rotation),
                q + arm->frames[arm->human.wrist].dof);
}

// 0 in the middle of all limits, about 1 at one of them.
static double discomfort(const cr_arm *arm, const double *q)
{
    double sum = 0;
    for (int i = 0; i < arm->dof_count; i++) {
        const cr_arm_dof *dof = &arm->dofs[i];
        double x = (2 * q[i] - dof->low - dof->high) / fmax(dof->high - dof->low, 1e-9);
        sum += x * x * x * x;
    }
    return sum;
}

typedef struct candidates {
    int count;
    double q[SWIVELS][CR_ARM_MAX_DOFS], cost[SWIVELS];
} candidates;

static void add_candidate(candidates *all, const cr_arm *arm, const double *q)
{
    double cost = discomfort(arm, q);
    int at = all->count++;
    for (; at > 0 && all->cost[at - 1] > cost; at--) {
        all->cost[at] = all->cost[at - 1];
        memcpy(all->q[at], all->q[at - 1], sizeof all->q[at]);
    }
    all->cost[at] = cost;
    memcpy(all->q[at], q, sizeof all->q[at]);
}

// The first of the candidates from `from` on that is clear, 8 at a time; -1 if none of these is.
static int first_clear(const cri_checker *c, const candidates *all, int from)
{
    float block[CR_ARM_MAX_DOFS * 8];
    for (int l = 0; l < 8; l++) {
        int k = from + l < all->count ? from + l : all->count - 1;
        for (int d = 0; d < c->dof_count; d++) {
            block[d * 8 + l] = (float)all->q[k][d];
        }
    }
    unsigned bits = cri_kernel_best()->clear8(c, block);
    for (int l = 0; l < 8 && from + l < all->count; l++) {
        if (bits >> l & 1) {
            return from + l;
        }
    }
    return -1;
}

static int pick_clear(const cri_checker *c, const candidates *all)
{
    int pick = -1;
    for (int from = 0; from < all->count && pick < 0; from += 8) {
        pick = first_clear(c, all, from);
    }
    return pick;
}

static void list_swivels(const triangle *t, const double *root, double first, candidates *all)
{
    all->count = 0;
    for (int i = 0; i < SWIVELS; i++) {
        double q[CR_ARM_MAX_DOFS] = {0};
        memcpy(q, root, 3 * sizeof *q);
        set_swivel(t, first + i * (2 * CRI_PI / SWIVELS), q);
        if (cr_arm_within(t->arm, q)) {
            add_candidate(all, t->arm, q);
        }
    }
}

static cr_ik solve_human(const cri_checker *c, cr_pose target, cr_rng *rng, double *q)
{
    const cr_arm *arm = c->arm;
    cr_ik result = CR_IK_UNREACHABLE;
    for (int i = 0; i < ROOTS; i++) {
        double root[3] = {0, 0, 0.1};
        for (int d = 0; d < 3 && i > 0; d++) {
            root[d] = cr_rng_uniform(rng, arm->dofs[d].low, arm->dofs[d].high);
        }
        triangle t;
        candidates all;
        if (!set_triangle(&t, arm, target, root)) {
            continue;
        }
        list_swivels(&t, root, cr_rng_uniform(rng, 0, 2 * CRI_PI), &all);
        if (all.count == 0) {
            continue;
        }
        result = CR_IK_COLLIDES;
        int pick = pick_clear(c, &all);
        if (pick >= 0) {
            memcpy(q, all.q[pick], (size_t)arm->dof_count * sizeof *q);
            return CR_IK_FOUND;
        }
    }
    return result;
}

// ---------------------------------------------------------------------------------------------
// Any arm.

// Position and rotation from one pose to another, as six numbers.
static void pose_difference(cr_pose from, cr_pose to, double *out)
{
    cr_vec3 move = cri_sub(to.position, from.position);
    cr_quat turn = cri_quat_mul(to.rotation, cri_quat_conj(from.rotation));
    cr_vec3 axis = {turn.x, turn.y, turn.z};
    double half = cri_length(axis);
    double angle = 2 * cri_atan2(half, fabs(turn.w));
    double scale = half > 1e-12 ? angle / half : 2;
    axis = cri_scale(turn.w < 0 ? -scale : scale, axis);
    const double values[6] = {move.x, move.y, move.z, axis.x, axis.y, axis.z};
    memcpy(out, values, sizeof values);
}

static double square6(const double *e)
{
    double sum = 0;
    for (int i = 0; i < 6; i++) {
        sum += e[i] * e[i];
    }
    return sum;
}

// Gauss elimination of a 6x6 system with a positive diagonal; b becomes the solution.
static void solve6(double a[6][6], double *b)
{
    for (int i = 0; i < 6; i++) {
        for (int k = i + 1; k < 6; k++) {
            double f = a[k][i] / a[i][i];
            for (int m = i; m < 6; m++) {
                a[k][m] -= f * a[i][m];
            }
            b[k] -= f * b[i];
        }
    }
    for (int i = 5; i >= 0; i--) {
        for (int m = i + 1; m < 6; m++) {
            b[i] -= a[i][m] * b[m];
        }
        b[i] /= a[i][i];
    }
}

static void jacobian(const cr_arm *arm, const double *q, cr_pose tip, double j[][6])
{
    const double h = 1e-6;
    for (int d = 0; d < arm->dof_count; d++) {
        double moved[CR_ARM_MAX_DOFS];
        memcpy(moved, q, (size_t)arm->dof_count * sizeof *q);
        moved[d] += h;
        pose_difference(tip, cr_arm_link_pose(arm, moved, arm->tip), j[d]);
        for (int i = 0; i < 6; i++) {
            j[d][i] /= h;
        }
    }
}

// One damped step; the squared error before it.
static double ik_step(const cr_arm *arm, cr_pose target, double *q)
{
    double error[6], j[CR_ARM_MAX_DOFS][6], a[6][6] = {{0}};
    cr_pose tip = cr_arm_link_pose(arm, q, arm->tip);
    pose_difference(tip, target, error);
    double size = square6(error);
    jacobian(arm, q, tip, j);
    for (int i = 0; i < 6; i++) {
        a[i][i] = 1e-6 + 1e-2 * fmin(size, 1);
        for (int k = 0; k < 6; k++) {
            for (int d = 0; d < arm->dof_count; d++) {
                a[i][k] += j[d][i] * j[d][k];
            }
        }
    }
    solve6(a, error);
    for (int d = 0; d < arm->dof_count; d++) {
        double change = 0;
        for (int i = 0; i < 6; i++) {
            change += j[d][i] * error[i];
        }
        q[d] = cri_clamp(q[d] + cri_clamp(change, -0.5, 0.5), arm->dofs[d].low, arm->dofs[d].high);
    }
    return size;
}

static void start_from(const cr_arm *arm, int restart, cr_rng *rng, double *q)
{
    cr_arm_rest(arm, q);
    for (int d = 0; d < arm->dof_count && restart > 0; d++) {
        q[d] = cr_rng_uniform(rng, arm->dofs[d].low, arm->dofs[d].high);
    }
}

static cr_ik solve_numeric(const cri_checker *c, cr_pose target, cr_rng *rng, double *q)
{
    const double close = 1e-10; // squared: 10 um and 10 urad
    const cr_arm *arm = c->arm;
    cr_ik result = CR_IK_UNREACHABLE;
    for (int restart = 0; restart < RESTARTS; restart++) {
        start_from(arm, restart, rng, q);
        double error = 1;
        for (int i = 0; i < STEPS && error > close; i++) {
            error = ik_step(arm, target, q);
        }
        if (error > close || !cr_arm_within(arm, q)) {
            continue;
        }
        result = CR_IK_COLLIDES;
        candidates one = {.count = 1};
        memcpy(one.q[0], q, (size_t)arm->dof_count * sizeof *q);
        if (pick_clear(c, &one) == 0) {
            return CR_IK_FOUND;
        }
    }
    return result;
}

cr_ik cri_solve(const cri_checker *checker, cr_pose target, cr_rng *rng, double *q)
{
    return checker->arm->human.is ? solve_human(checker, target, rng, q)
                                  : solve_numeric(checker, target, rng, q);
}

cr_ik cr_arm_solve(const cr_reach_task *task, cr_pose target, uint64_t seed, double *q)
{
    cri_checker *checker = calloc(1, sizeof *checker);
    cr_ik result = CR_IK_UNREACHABLE;
    cr_rng rng = cr_rng_make(seed, CR_RNG_START, 0);
    if (checker && cri_checker_set(checker, task, NULL) == CR_OK) {
        result = cri_solve(checker, target, &rng, q);
    }
    if (checker) {
        cri_checker_free(checker);
    }
    free(checker);
    return result;
}

static cr_status aim(cr_reach_task *task, cr_pose target, uint64_t seed, cr_report *report)
{
    switch (cr_arm_solve(task, target, seed, task->goal)) {
    case CR_IK_FOUND:
        return CR_OK;
    case CR_IK_UNREACHABLE:
        return cri_fail(report, CR_ERR_RANGE, (cri_location){0},
                        "the target is out of reach: no configuration within limits brings \"%s\" "
                        "to (%g, %g, %g)",
                        task->arm->links[task->arm->tip].name, target.position.x, target.position.y,
                        target.position.z);
    case CR_IK_COLLIDES:
        break;
    }
    return cri_fail(report, CR_ERR_RANGE, (cri_location){0},
                    "the target is blocked: every configuration tried that brings \"%s\" to "
                    "(%g, %g, %g) is in collision",
                    task->arm->links[task->arm->tip].name, target.position.x, target.position.y,
                    target.position.z);
}

cr_status cr_reach_tasks_aim(cr_reach_tasks *tasks, cr_pose target, bool turned, uint64_t seed,
                             cr_report *report)
{
    cr_quat r = target.rotation;
    double norm = r.x * r.x + r.y * r.y + r.z * r.z + r.w * r.w;
    if (!cri_finite3(target.position) || !(norm > 1e-6 && norm < 1e6)) {
        return cri_fail(report, CR_ERR_RANGE, (cri_location){0},
                        "the target must be finite, with a rotation that is no zero quaternion");
    }
    cr_status status = CR_OK;
    for (int i = 0; i < tasks->count && status == CR_OK; i++) {
        cr_reach_task *task = &tasks->tasks[i];
        cr_pose start = cr_arm_link_pose(task->arm, task->start, task->arm->tip);
        target.rotation = turned ? cri_quat_unit(r) : start.rotation;
        status = aim(task, target, seed, report);
    }
    return status;
}
