/// @file vary.h
/// The same scene with other numbers: how much does a plan, a Tactic or a table owe to where things
/// happen to stand? What belongs together (docs/scene-format.md, "Varied scenes") is moved by up to
/// a share of the shorter side of the playing area, and its size is changed by up to that share of
/// itself. Materials, masses, Tactics, goal and rules stay as they are.
///
/// What comes out is a scene like any other: it has a text of its own, in which only numbers differ
/// and a key `varied` says where they come from, so plans that are made of it embed it and replay.
///
///     cr_vary_def def = cr_default_vary_def();
///     def.share = 0.05, def.seed = 3;
///     cr_scene *other;
///     cr_scene_vary(scene, NULL, &def, &other, NULL, &report);
///
/// Threads: any number of threads may vary a scene at once, but not while cr_scene_set runs.
#ifndef CAROM_VARY_H
#define CAROM_VARY_H

#include "model.h"
#include "scene.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The largest share: beyond it little is left of a scene.
#define CR_VARY_MAX_SHARE 0.5

/// How a scene is varied.
typedef struct cr_vary_def {
    double share;  ///< of the playing area's shorter side, and of sizes; 0 to CR_VARY_MAX_SHARE.
                   ///< default 0.05
    uint64_t seed; ///< names the draw; up to 2^53. default 1
} cr_vary_def;

/// A def with the defaults above.
CR_API cr_vary_def cr_default_vary_def(void);

/// What a variation came to.
typedef struct cr_vary_stats {
    double reach; ///< m, the longest move that was allowed
    int groups;   ///< how many groups of things were moved or resized
    int drawn;    ///< draws of the whole scene, the last of which is the result
    int refused;  ///< drawn - 1, or 0 for a share of 0: see cr_scene_vary
} cr_vary_stats;

/// Vary a scene; its settings are those of the new one. A pure function of scene, settings, share
/// and seed: the same gives the same text. A share of 0 is the scene itself, to the byte, and a
/// scene that was varied so already is itself as well.
///
/// A draw is refused, and all is drawn again, if cr_model_create refuses it (bodies overlap), if
/// bodies of two groups overlap that did not, if something leaves the playing area that was inside,
/// or if the start breaks a rule. After 1000 draws it fails with CR_ERR_RANGE; so it does for a
/// share or seed that is out of range, or a scene that was varied in another way. A scene that
/// cr_model_create refuses fails as there.
///
/// library as for cr_model_create. stats may be NULL. On failure *varied is NULL.
CR_API cr_status cr_scene_vary(const cr_scene *scene, const cr_library *library,
                               const cr_vary_def *def, cr_scene **varied, cr_vary_stats *stats,
                               cr_report *report);

/// How the scene was varied, as its key `varied` says; false if it was not.
CR_API bool cr_scene_varied(const cr_scene *scene, cr_vary_def *def);

#ifdef __cplusplus
}
#endif

#endif
