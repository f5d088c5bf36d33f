// A body that is led along what was recorded of it.
#ifndef CRI_LED_H
#define CRI_LED_H

#include "fit/recording.h"

typedef struct cri_led {
    int body, count;
    double *time; // s, rising
    cr_pose *pose;
} cri_led;

// Free it also after a failure.
cr_status cri_led_make(const cr_recording *r, int body, cri_led *led, cr_report *report);
void cri_led_free(cri_led *led);

// Put the body where it was seen at a time, with the velocity that leads on.
void cri_led_put(const cri_led *led, const cr_model *model, double time, cr_state *state);

#endif
