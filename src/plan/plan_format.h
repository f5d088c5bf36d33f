// What writing and reading of plan files share. docs/plan-format.md draws the format.
#ifndef CRI_PLAN_FORMAT_H
#define CRI_PLAN_FORMAT_H

enum {
    CRI_PLAN_VERSION = 1,
    CRI_BODY_NUMBERS = 13, // of a root's body: position, rotation, velocity, spin
};

// As cr_skill_phase.
static const char *const cri_phases[] = {"enter", "busy", "free"};

#endif
