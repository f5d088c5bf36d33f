// How far bodies of a large world may go in a piece.
//
// Points are found for where bodies are, and hold while these go straight on. What turns comes with
// other points, and what is struck meets others than it was looked for with: pieces end before two
// that turn fast come near each other (conservative advancement), and once they are solved, before
// two overlap by more than a share of how thin they are. Bounds are those of small worlds
// (lanes/meet.h); here they are worked out one by one, in double, for the few pairs that are fast.
#include <math.h>

#include "base/vec.h"
#include "engine/contact.h"
#include "engine/large/large.h"
#include "engine/large/scratch.h"

// How thin two are counts by this share, as a float.
static const float THIN = (float)THIN_SHARE;
// How far what is struck may go unseen: half of a wall of 1 cm.
static const float BLIND_WALL = 5e-3f; // m

// ---------------------------------------------------------------------------------------------
// Bounds.

// How far a solid reaches along a direction of any length.
static double reach_to(const cr_shape *shape, cr_pose at, cr_vec3 d)
{
    double length = cri_length(d);
    return length > 0 ? length * cri_shape_support(shape, at, cri_scale(1 / length, d)) : 0;
}

// How much farther a solid reaches along d when its body has turned so, at most: see turns_out in
// lanes/meet.h. `turned`: rad in all, of which the turn may be what is left.
static double turns_out(const cri_large *w, int solid, cr_vec3 d, cr_vec3 turn, double turned)
{
    const cri_large_solid *s = &w->solids[solid];
    cr_vec3 tilt = cri_cross(d, turn);
    double radius = (double)w->b.radius[s->mover];
    cr_pose at = cri_large_pose(w, solid);
    at.position = cri_sub(at.position, cri_large_place(w, s->mover));
    double out = reach_to(s->shape, at, cri_add(d, tilt)) - reach_to(s->shape, at, d);
    return fmin(turned * radius, out + 0.5 * turned * turned * radius);
}

static cr_vec3 three(float *const field[3], int i)
{
    return cri_vec3((double)field[0][i], (double)field[1][i], (double)field[2][i]);
}

// How far a body goes along d in t seconds by what is predicted, at most.
static double way_ahead(const cri_large *w, int solid, cr_vec3 d, double t)
{
    int i = w->solids[solid].mover;
    cr_vec3 spin = three(w->b.spin, i), next = three(w->b.next_spin, i);
    cr_vec3 now = three(w->b.velocity, i), then = three(w->b.next_velocity, i);
    double change = cri_length(cri_sub(next, spin)) * (double)w->b.radius[i];
    cr_vec3 turn = cri_scale(t, next);
    return (fmax(cri_dot(now, d), cri_dot(then, d)) + change) * t +
           turns_out(w, solid, d, turn, cri_length(turn));
}

// The same once it is solved: until it is struck it goes on as before.
static double way_solved(const cri_large *w, int solid, cr_vec3 d, double t)
{
    int i = w->solids[solid].mover;
    const float *speed = &w->speeds[(size_t)i * CRI_SPEED_ROW];
    double before = fmin(t, (double)(w->b.late[i] * w->h)), after = t - before;
    cr_vec3 then = cri_vec3((double)speed[0], (double)speed[1], (double)speed[2]);
    cr_vec3 turn = cri_scale(before, three(w->b.spin, i));
    cr_vec3 more = cri_scale(after, cri_large_spin(w, i));
    return before * cri_dot(three(w->b.velocity, i), d) + after * cri_dot(then, d) +
           turns_out(w, solid, d, cri_add(turn, more), cri_length(turn) + cri_length(more));
}

// Either of them, for both of a pair: how far they come nearer to each other along the normal.
typedef double way_of(const cri_large *w, int solid, cr_vec3 d, double t);

static double closing_way(const cri_large *w, const cri_large_pair *p, cr_vec3 n, way_of *way,
                          double t)
{
    double sum = 0;
    for (int k = 0; k < 2; k++) {
        if (p->movers[k] < w->body_count) {
            sum += way(w, p->solids[k], k ? cri_neg(n) : n, t);
        }
    }
    return sum;
}

// A time until which they have not gone so far, between one at which they have not and the end of
// the piece; that end, if they never have. Bounds grow at least as fast as the time from then on:
// so what holds at a time holds before it, and a chord lies beyond the curve. Halving as well is
// faster where the curve is steep at its end.
static double when_gone(const cri_large *w, const cri_large_pair *p, cr_vec3 n, way_of *way,
                        double from, double far)
{
    enum { LOOKS = 6 };
    double to = (double)w->h, start = closing_way(w, p, n, way, from);
    double end = closing_way(w, p, n, way, to);
    if (end <= far || start >= far) {
        return end <= far ? to : from;
    }
    for (int i = 0; i < LOOKS; i++) {
        double t = i % 2 ? (from + to) / 2 : from + (to - from) * (far - start) / (end - start);
        double gone = closing_way(w, p, n, way, t);
        if (gone < far) {
            from = t, start = gone;
        } else {
            to = t, end = gone;
        }
    }
    return from;
}

static cr_vec3 normal_of(const cri_large *w, int pair)
{
    const float *found = &w->found[(size_t)pair * CRI_FOUND_ROW];
    return cri_vec3((double)found[0], (double)found[1], (double)found[2]);
}

// Whether points were found: two without are farther from each other than they go.
static bool has_points(const cri_large *w, int pair)
{
    return cri_large_least_gap(w, pair) < CRI_NO_POINT / 2;
}

// How far two are from each other along the normal.
static double gap_of(const cri_large *w, const cri_large_pair *p, cr_vec3 normal)
{
    const cr_shape *a = w->solids[p->solids[0]].shape, *b = w->solids[p->solids[1]].shape;
    return -reach_to(b, cri_large_pose(w, p->solids[1]), cri_neg(normal)) -
           reach_to(a, cri_large_pose(w, p->solids[0]), normal);
}

static float thin_of(const cri_large *w, const cri_large_pair *p)
{
    return w->thins[p->solids[0]] + w->thins[p->solids[1]];
}

static float fastest(const cri_large *w, const float *speeds)
{
    float most = 0;
    for (int i = 0; i < w->body_count; i++) {
        most = speeds[i] > most ? speeds[i] : most;
    }
    return most;
}

// Whether some may pass through another, by the way that they may leave theirs.
static bool any_may_pass(const cri_large *w, const float *speeds)
{
    return fastest(w, speeds) * w->h > 0.5f * THIN * w->thinnest;
}

static bool may_pass(const cri_large *w, int pair, const float *speeds)
{
    const cri_large_pair *p = &w->pairs[pair];
    float way = (speeds[p->movers[0]] + speeds[p->movers[1]]) * w->h;
    return way > THIN * thin_of(w, p) && !p->silent && has_points(w, pair);
}

// ---------------------------------------------------------------------------------------------
// Before the solve.

static double when_near(const cri_large *w, int pair)
{
    const cri_large_pair *p = &w->pairs[pair];
    cr_vec3 n = normal_of(w, pair);
    double gap = gap_of(w, p, n);
    return gap < 2 * NEAR_GAP ? (double)w->h : when_gone(w, p, n, way_ahead, 0, gap - NEAR_GAP);
}

float cri_large_first_near(const cri_large *w)
{
    double first = (double)w->h;
    int count = any_may_pass(w, w->b.stir) ? w->patch_count : 0;
    for (int i = 0; i < count; i++) {
        if (may_pass(w, w->patches[i], w->b.stir)) {
            first = fmin(first, when_near(w, w->patches[i]));
        }
    }
    return (float)first;
}

// ---------------------------------------------------------------------------------------------
// After it.

// The share of the piece in which a body that was struck goes no farther from its predicted way,
// which points were found for, than half of how thin bodies are, and a wall. It goes on in the next
// piece, when those are known that it may meet there.
static float share_in_sight(const cri_large *w, int i)
{
    const float *speed = &w->speeds[(size_t)i * CRI_SPEED_ROW];
    cr_vec3 next = cri_vec3((double)speed[0], (double)speed[1], (double)speed[2]);
    float off = (float)cri_length(cri_sub(next, three(w->b.next_velocity, i)));
    float turn = (float)cri_length(cri_sub(cri_large_spin(w, i), three(w->b.next_spin, i)));
    float goes = (off + turn * w->b.radius[i]) * w->h, late = w->b.late[i];
    float seen = CRI_SEE + THIN * w->thinnest + BLIND_WALL;
    return (1 - late) * goes > seen ? late + seen / goes : 1;
}

// The first of these shares.
static float first_unseen(cri_large *w)
{
    float first = 1, most = CRI_SEE + THIN * w->thinnest + BLIND_WALL;
    for (int i = 0; i < w->body_count; i++) {
        if (w->b.pushed[i] && w->b.pace[i] * w->h > most) {
            float share = share_in_sight(w, i);
            w->b.hold[i] = fminf(w->b.hold[i], share);
            first = fminf(first, share);
        }
    }
    return first;
}

static void hold(cri_large *w, const cri_large_pair *p, float share)
{
    for (int k = 0; k < 2; k++) {
        if (w->b.pushed[p->movers[k]]) {
            w->b.hold[p->movers[k]] = fminf(w->b.hold[p->movers[k]], share);
        }
    }
}

// When two would overlap too much. What they are struck by on their way is between them, as a rule:
// the way is looked at from there on.
static double when_passed(const cri_large *w, int pair)
{
    const cri_large_pair *p = &w->pairs[pair];
    cr_vec3 n = normal_of(w, pair);
    double most = (double)(0.5f * THIN * thin_of(w, p)), h = (double)w->h;
    double far = fmax(gap_of(w, p, n) + most, LITTLE_MORE * most);
    double late = h * (double)fmaxf(w->b.late[p->movers[0]], w->b.late[p->movers[1]]);
    bool waits = closing_way(w, p, n, way_solved, late) < far;
    return when_gone(w, p, n, way_solved, waits ? late : 0, far);
}

// Whether two that go straight on come nearer to each other than they may, though they have points:
// what is caught between a wall and something heavy takes more rounds than there are.
static bool drives_in(const cri_large *w, int pair)
{
    const cri_large_pair *p = &w->pairs[pair];
    const float *a = &w->speeds[(size_t)p->movers[0] * CRI_SPEED_ROW];
    const float *b = &w->speeds[(size_t)p->movers[1] * CRI_SPEED_ROW];
    const float *n = &w->found[(size_t)pair * CRI_FOUND_ROW];
    float closing = n[0] * (a[0] - b[0]) + n[1] * (a[1] - b[1]) + n[2] * (a[2] - b[2]);
    float gap = cri_large_least_gap(w, pair), most = 0.5f * THIN * thin_of(w, p);
    return closing * w->h > fmaxf(gap + most, (float)LITTLE_MORE * most);
}

// Whether some go farther in a piece than two may overlap.
static bool any_drives(const cri_large *w)
{
    float most = 0, little = 0.5f * THIN * w->thinnest;
    for (int i = 0; i < w->body_count; i++) {
        const float *v = &w->speeds[(size_t)i * CRI_SPEED_ROW];
        float fast = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        most = fast > most ? fast : most;
    }
    return most * w->h * w->h > little * little;
}

float cri_large_first_pass(cri_large *w)
{
    bool turns = any_may_pass(w, w->b.pace), drives = any_drives(w);
    float first = turns ? first_unseen(w) : 1;
    int count = turns || drives ? w->patch_count : 0;
    for (int i = 0; i < count; i++) {
        int pair = w->patches[i];
        if ((turns && may_pass(w, pair, w->b.pace)) || (drives && drives_in(w, pair))) {
            float share = (float)(when_passed(w, w->patches[i]) / (double)w->h);
            hold(w, &w->pairs[w->patches[i]], share);
            first = fminf(first, share);
        }
    }
    w->holds = first < 1;
    return first * w->h;
}
