// What vision systems get wrong, mended: a frame that stands twice, one that lies far from its
// neighbours, a second camera that sees a body a little elsewhere; and frames that are missing,
// which are counted.
#include "fit/recording.h"

#include <math.h>
#include <stdlib.h>

#include "base/report.h"
#include "base/vec.h"

// Farther from the line between its neighbours than this, and than five times as far as a body
// moves from frame to frame: no bounce does that, since neighbours of a bounce lie on its way.
#define OUTLIER 0.03 // m
#define STRIDES 1.0

typedef struct way {
    int *at; // samples of one body
    int count;
} way;

static cr_vec3 spot(const cr_recording *r, const way *w, int i)
{
    return r->samples[w->at[i]].pose.position;
}

static double instant(const cr_recording *r, const way *w, int i)
{
    return r->samples[w->at[i]].time;
}

static way find_way(const cr_recording *r, int body, int *room)
{
    way w = {room, 0};
    for (int i = 0; i < r->count; i++) {
        if (r->samples[i].body == body) {
            w.at[w.count++] = i;
        }
    }
    return w;
}

static void drop_duplicates(cr_recording *r, way *w, bool *dropped)
{
    int kept = 0;
    for (int i = 0; i < w->count; i++) {
        if (kept > 0 && !(instant(r, w, i) > r->samples[w->at[kept - 1]].time)) {
            dropped[w->at[i]] = true;
            r->notes.duplicates++;
        } else {
            w->at[kept++] = w->at[i];
        }
    }
    w->count = kept;
}

// A sample whose neighbours are nearer to each other than it is to either: a body would have to go
// there and back within two frames.
static bool strays(const cr_recording *r, const way *w, int i)
{
    cr_vec3 a = spot(r, w, i - 1), b = spot(r, w, i), c = spot(r, w, i + 1);
    double in = cri_length(cri_sub(b, a)), out = cri_length(cri_sub(c, b));
    double across = cri_length(cri_sub(c, a));
    double before = i >= 2 ? cri_length(cri_sub(a, spot(r, w, i - 2))) : in;
    double behind = i + 2 < w->count ? cri_length(cri_sub(spot(r, w, i + 2), c)) : out;
    double usual = fmax(fmax(before, behind), across / 2);
    return fmin(in, out) > OUTLIER + STRIDES * usual;
}

static void drop_outliers(cr_recording *r, way *w, bool *dropped)
{
    int kept = 1;
    for (int i = 1; i < w->count; i++) {
        if (i + 1 < w->count && strays(r, w, i)) {
            dropped[w->at[i]] = true;
            r->notes.outliers++;
        } else {
            w->at[kept++] = w->at[i];
        }
    }
    w->count = w->count > 0 ? kept : 0;
}

// Where the way would go on to, by the three samples before: a straight line.
static cr_vec3 expected(const cr_recording *r, const way *w, int i)
{
    int from = i >= 3 ? i - 3 : 0;
    cr_vec3 last = spot(r, w, i - 1);
    double span = instant(r, w, i - 1) - instant(r, w, from);
    if (!(span > 0)) {
        return last;
    }
    cr_vec3 moved = cri_sub(last, spot(r, w, from));
    return cri_mad(last, (instant(r, w, i) - instant(r, w, i - 1)) / span, moved);
}

// The second camera's offset is what is between where the body is seen and where it should be.
static void join_cameras(cr_recording *r, const way *w)
{
    cr_vec3 offset = {0};
    for (int i = 1; i < w->count; i++) {
        cr_sighting *s = &r->samples[w->at[i]];
        s->pose.position = cri_sub(s->pose.position, offset);
        if (s->camera != r->samples[w->at[i - 1]].camera) {
            cr_vec3 jump = cri_sub(s->pose.position, expected(r, w, i));
            jump.z = 0;
            offset = cri_add(offset, jump);
            s->pose.position = cri_sub(s->pose.position, jump);
            r->notes.switches++;
        }
    }
}

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static cr_status count_gaps(cr_recording *r, const way *w, cr_report *report)
{
    if (w->count < 3) {
        return CR_OK;
    }
    double *steps = malloc((size_t)w->count * sizeof *steps);
    if (!steps) {
        return cri_fail_memory(report);
    }
    for (int i = 1; i < w->count; i++) {
        steps[i - 1] = instant(r, w, i) - instant(r, w, i - 1);
    }
    qsort(steps, (size_t)w->count - 1, sizeof *steps, compare_numbers);
    double usual = steps[(w->count - 1) / 2];
    for (int i = 0; i < w->count - 1; i++) {
        r->notes.gaps += steps[i] > 1.5 * usual;
    }
    free(steps);
    return CR_OK;
}

// A kick stays, whatever becomes of the sample that had it: it goes to the body's next one.
static void hand_on(cr_recording *r, int i)
{
    const cr_sighting *from = &r->samples[i];
    for (int k = i + 1; k < r->count; k++) {
        cr_sighting *to = &r->samples[k];
        if (to->body == from->body) {
            to->action.impulse = cri_add(to->action.impulse, from->action.impulse);
            return;
        }
    }
}

static void squeeze(cr_recording *r, const bool *dropped)
{
    int kept = 0;
    for (int i = 0; i < r->count; i++) {
        if (dropped[i]) {
            hand_on(r, i);
        } else {
            r->samples[kept++] = r->samples[i];
        }
    }
    r->count = kept;
}

static bool is_acted_on(const cr_action *a)
{
    return cri_length(a->impulse) > 0 || cri_length(a->force) > 0 || cri_length(a->torque) > 0;
}

cr_status cri_recording_mend(cr_recording *r, cr_report *report)
{
    int *room = malloc(((size_t)r->count + 1) * sizeof *room);
    bool *dropped = calloc((size_t)r->count + 1, sizeof *dropped);
    cr_status status = room && dropped ? CR_OK : cri_fail_memory(report);
    for (int slot = 0; slot < cr_model_moving_count(r->model) && status == CR_OK; slot++) {
        way w = find_way(r, cr_model_moving_body(r->model, slot), room);
        drop_duplicates(r, &w, dropped);
        join_cameras(r, &w);
        drop_outliers(r, &w, dropped);
        status = count_gaps(r, &w, report);
    }
    if (status == CR_OK) {
        squeeze(r, dropped);
        r->notes.samples = r->count;
        for (int i = 0; i < r->count; i++) {
            r->actions = r->actions || is_acted_on(&r->samples[i].action);
        }
    }
    free(room);
    free(dropped);
    return status;
}
