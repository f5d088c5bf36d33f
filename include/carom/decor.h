/// @file decor.h
/// Decor: how a scene is dressed for pictures. Finishes of bodies and marks on the ground; nothing
/// here has a mass, is bumped into or reaches a state, and a scene plans to the same bits without.
///
/// Threads: decor belongs to its model and is only read, by any number of threads.
#ifndef CAROM_DECOR_H
#define CAROM_DECOR_H

#include "model.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What a surface looks like. Patterns are made by formula where they are drawn; the colour is the
/// body's or the mark's.
typedef enum cr_finish {
    CR_FINISH_PLAIN,    ///< smooth and dull
    CR_FINISH_CARPET,   ///< short fibres
    CR_FINISH_GRASS,    ///< mown in stripes
    CR_FINISH_CLOTH,    ///< of a pool table
    CR_FINISH_WOOD,     ///< with a grain along its longest side
    CR_FINISH_ASPHALT,  ///< grey grit
    CR_FINISH_CONCRETE, ///< blotched
    CR_FINISH_METAL,    ///< brushed
    CR_FINISH_RUBBER,   ///< black and dull
    CR_FINISH_GLOSS,    ///< polished, as a billiard ball
    CR_FINISH_STRIPED,  ///< a polished white ball with a band of its colour
    CR_FINISH_GOLF,     ///< a ball with dimples
    CR_FINISH_NET,      ///< a mesh that one sees through
    CR_FINISH_ROBOT,    ///< a dark shell with a lid of the body's colour
    CR_FINISH_CAR,      ///< a car as large as the body's first part, ahead along x
    CR_FINISH_PIN,      ///< a bowling pin within a cylinder
    CR_FINISH_HIDDEN,   ///< not drawn
    CR_FINISH_COUNT
} cr_finish;

/// The word that stands for a finish in a scene file, as "wood".
CR_API const char *cr_finish_name(cr_finish finish);

/// How a body looks.
typedef struct cr_dress {
    int body;
    cr_finish finish;
    int number; ///< written on a ball; 0: none
} cr_dress;

typedef enum cr_mark_kind {
    CR_MARK_LINE,   ///< through points
    CR_MARK_BOX,    ///< the outline of a rectangle
    CR_MARK_CIRCLE, ///< the outline of a circle, or an arc of it
    CR_MARK_DISC,   ///< a filled circle
    CR_MARK_PATCH,  ///< a filled rectangle
    CR_MARK_BLOCK,  ///< a box that nothing bumps into
    CR_MARK_POST,   ///< an upright cylinder that nothing bumps into
    CR_MARK_ROAD,   ///< the surface between two edges: the first half of the points is the left
                    ///< one, the other half the right one. In playbacks only
    CR_MARK_ROPE,   ///< between two bodies, from the first of its two points, in the frame of
                    ///< `body`, to the second, in that of `other`; straight, and not there while
                    ///< these are farther apart than it is long. In playbacks only
} cr_mark_kind;

/// Something painted on the ground or put up beside it.
typedef struct cr_mark {
    cr_mark_kind kind;
    cr_finish finish;
    uint32_t color;  ///< 0xRRGGBB
    int body;        ///< in whose frame it is given and moves along, or -1
    int other;       ///< of a rope: that it leads to, or -1
    cr_vec3 at;      ///< m, its middle; of a block or post its lowest point
    double heading;  ///< rad
    cr_vec3 size;    ///< m; of box, patch, block; x alone: the radius of the round ones,
                     ///< the length of a road along its middle, or of a rope
    double width;    ///< m, of lines, outlines and ropes
    double from, to; ///< rad, of an arc
    bool closed;     ///< a line goes back to its first point
    int point_count;
    const cr_vec3 *points; ///< of a line, road or rope
} cr_mark;

typedef struct cr_decor {
    int dress_count;
    const cr_dress *dresses; ///< at most one a body
    int mark_count;
    const cr_mark *marks; ///< in the order of the file: later ones lie on earlier ones
} cr_decor;

/// The scene's decor; all counts are 0 where it has none. Belongs to the model.
CR_API const cr_decor *cr_model_decor(const cr_model *model);

#ifdef __cplusplus
}
#endif

#endif
