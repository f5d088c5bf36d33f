// The table of built-in Skills.
#include "behavior/skills/skills.h"

const cr_skill_type *const cri_skill_types[] = {
    &cri_skill_wait,
    &cri_skill_stand,
    &cri_skill_idle,
    &cri_skill_end,
    &cri_skill_drive_to,
    &cri_skill_turn,
    &cri_skill_kick,
    &cri_skill_push,
    &cri_skill_kick_held,
    &cri_skill_shoot,
    &cri_skill_get_ball,
    &cri_skill_dribble,
    &cri_skill_block,
    &cri_skill_strike,
    &cri_skill_nudge,
    &cri_skill_spin,
    &cri_skill_oscillate,
    &cri_skill_random_force,
    NULL,
};
