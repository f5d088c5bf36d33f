// Pictures as places: which cells of a lattice make one, and who goes to which.
#ifndef CRI_PICTURES_H
#define CRI_PICTURES_H

#include "base/bitmap.h"
#include "base/vec.h"

// `count` cells that make the picture, in units of the lattice's pitch, x to the right and y up,
// the middle of the picture at the origin. The lattice is as fine as it must be for about so many
// of its cells to be dark; of those that are, or nearly are, the darkest are taken. Returns
// CR_ERR_RANGE where the picture has nothing dark, or is too thin for so many.
cr_status cri_picture_cells(const cri_bitmap *bitmap, int count, cr_vec3 *cells);

// Who goes where, so that the sum of the squares of all ways, seen from above, is the least: then
// ways do not cross, since two that do are longer than two that do not. On return cells[i] is where
// from[i] goes.
cr_status cri_assign_cells(const cr_vec3 *from, cr_vec3 *cells, int count);

#endif
