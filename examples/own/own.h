// What this folder adds to carom: one of each. The same files make a shared object for `--load`
// (extension.c) and are linked into a program (program.c). docs/adding.md walks through them.
#ifndef OWN_H
#define OWN_H

#include <carom/carom.h>

extern const cr_skill_type own_hop;
extern const cr_condition_type own_above;
extern const cr_quantity_type own_energy;
extern const cr_select_type own_least_tried;
extern const cr_rank_type own_gentle;
extern const cr_engine_type own_bouncer;

// Registers all of them.
cr_status own_add(cr_library *library, cr_report *report);

#endif
