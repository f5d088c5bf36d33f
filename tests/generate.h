// Scenes made at random, for tests that hold for every model: shapes of all kinds, alone and in
// compounds, of all materials; balls, robots, bars that turn and tilt, free bodies; joints
// between them; on planes, slabs and boxes, here and far away; and crowds. The same numbers make
// the same text.
#ifndef TESTS_GENERATE_H
#define TESTS_GENERATE_H

#include "base/file.h"
#include "carom/carom.h"

// The last one of each so many scenes is a large world.
enum { GENERATE_LARGE = 18 };
// The fourth of each so many has free bodies that can stand still: boxes and cylinders on a plane.
enum { GENERATE_CALM = 6 };

// Write scene `number` of a seed. It has Tactics that send all bodies into each other. Its numbers
// (masses, materials, damping, gravity) are those of set 0, 1, ...: others, in the same scene.
void generate_scene(uint64_t seed, uint64_t number, uint64_t set, cri_text *text);

// A block of `model` with the numbers of another model, of the same scene with another set. NULL:
// no memory.
cr_numbers *numbers_like(const cr_model *model, const cr_model *other);

// Scatter the moving bodies of such a scene over its middle: near, piled up, standing or flying,
// slow or fast, with zeros of both signs; rarely as nonsense. In some all that can tumble lies
// still.
void generate_state(const cr_model *model, cr_rng *rng, cr_state *state);

// Actions for all of them: pushes, kicks, turns; some that tilt a driven body; rarely nonsense. In
// some nothing pushes what can tumble.
void generate_actions(const cr_model *model, cr_rng *rng, cr_action *actions);

#endif
