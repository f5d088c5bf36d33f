// Bodies that somebody moves (robots, opponents) are led: wherever a recording saw them, there they
// are in its roll-outs, and as fast. What they do to the balls is what is predicted.
#include "fit/led.h"

#include <math.h>
#include <stdlib.h>

#include "base/report.h"
#include "base/trig.h"
#include "base/vec.h"

void cri_led_free(cri_led *led)
{
    free(led->time);
    free(led->pose);
}

cr_status cri_led_make(const cr_recording *r, int body, cri_led *led, cr_report *report)
{
    *led = (cri_led){.body = body};
    for (int i = 0; i < r->count; i++) {
        led->count += r->samples[i].body == body;
    }
    led->time = malloc(((size_t)led->count + 1) * sizeof *led->time);
    led->pose = malloc(((size_t)led->count + 1) * sizeof *led->pose);
    if (!led->time || !led->pose) {
        return cri_fail_memory(report);
    }
    for (int i = 0, at = 0; i < r->count; i++) {
        if (r->samples[i].body == body) {
            led->time[at] = r->samples[i].time;
            led->pose[at++] = r->samples[i].pose;
        }
    }
    return CR_OK;
}

// Between two samples on a line, and on the shorter turn about z.
static cr_pose pose_at(const cri_led *led, double time)
{
    int low = 0, high = led->count - 1;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        low = led->time[middle] <= time ? middle : low;
        high = led->time[middle] <= time ? high : middle;
    }
    double span = led->time[high] - led->time[low];
    double share = span > 0 ? cri_clamp((time - led->time[low]) / span, 0, 1) : 0;
    const cr_pose *a = &led->pose[low], *b = &led->pose[high];
    double turn = cri_wrap(cri_heading(b->rotation) - cri_heading(a->rotation));
    return (cr_pose){cri_mad(a->position, share, cri_sub(b->position, a->position)),
                     cri_quat_mul(cri_quat_heading(share * turn), a->rotation)};
}

void cri_led_put(const cri_led *led, const cr_model *model, double time, cr_state *state)
{
    double dt = cr_model_dt(model);
    cr_pose here = pose_at(led, time), next = pose_at(led, time + dt);
    cr_vec3 velocity = cri_scale(1 / dt, cri_sub(next.position, here.position));
    double turn = cri_wrap(cri_heading(next.rotation) - cri_heading(here.rotation));
    here.rotation = cri_quat_unit(here.rotation);
    cr_state_set_pose(model, state, led->body, here);
    cr_state_set_velocity(model, state, led->body, velocity, cri_vec3(0, 0, turn / dt));
}
