// The table of built-in Skills.
#include "behavior/skills/skills.h"

const cr_skill_type *const cri_skill_types[] = {
    &cri_skill_wait,
    &cri_skill_stand,
    &cri_skill_end,
    &cri_skill_drive_to,
    &cri_skill_turn,
    &cri_skill_kick,
    &cri_skill_push,
    &cri_skill_spin,
    &cri_skill_oscillate,
    &cri_skill_random_force,
    NULL,
};
