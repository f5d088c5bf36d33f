// Boxes that meet, without comparing all with all.
//
// The room is cut into columns along the axis along which boxes are spread most. A box stands in
// each column that it reaches into, in the order of its low end; two boxes meet in the first column
// that both reach into, so that no pair is found twice. What reaches into very many columns, a
// wall, is compared with all.
#ifndef CRI_COLUMNS_H
#define CRI_COLUMNS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

// Columns that a box may reach into.
enum { CRI_REACH_MAX = 16 };

// A box about something.
typedef struct cri_span {
    float low[3], high[3];
    int solid;
} cri_span;

typedef struct cri_sort_key {
    uint64_t key;
    int index;
} cri_sort_key;

// Two boxes meet, by their solids; each pair comes once. `seeker` is who looked.
typedef void cri_columns_found(void *seeker, int a, int b);

// Columns each way, and where they are.
typedef struct cri_column_field {
    int along, across[2]; // axes
    float low[2], scale[2];
    int count[2];
} cri_column_field;

// A box that stands in a column.
typedef struct cri_standing {
    cri_span span;
    int16_t first[2]; // column that it stands in, each way
} cri_standing;

typedef struct cri_columns {
    cri_span *sorted;
    int *first_column;   // by place in `sorted`; -1: wide
    int *column_ends;    // by column
    cri_standing *stand; // column by column
    int wide_count, *wide;
    cri_sort_key *order, *spare;
    cri_column_field field;
    int span_count, column_count;
} cri_columns;

static inline bool cri_spans_meet(const cri_span *a, const cri_span *b)
{
    return a->low[0] <= b->high[0] && b->low[0] <= a->high[0] && a->low[1] <= b->high[1] &&
           b->low[1] <= a->high[1] && a->low[2] <= b->high[2] && b->low[2] <= a->high[2];
}

// Room for so many boxes. False: no memory.
bool cri_columns_init(cri_columns *columns, cri_arena *arena, int span_max);

// Tell of each two boxes that meet.
void cri_columns_sweep(cri_columns *columns, const cri_span *spans, int count,
                       cri_columns_found *found, void *seeker);

// The same in parts, for several who look at the same time: first stand, then each thing of
// 0 .. column_count by somebody.
void cri_columns_stand(cri_columns *columns, const cri_span *spans, int count);
void cri_columns_seek(const cri_columns *columns, int thing, cri_columns_found *found,
                      void *seeker);

// Sort by the lowest so many bits of the keys; equals stay in order.
void cri_sort_keys(cri_sort_key *keys, cri_sort_key *spare, int count, int bits);

// A key that orders floats.
uint64_t cri_key_of(float value);

#endif
