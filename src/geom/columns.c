// Boxes that meet, without comparing all with all.
#include "geom/columns.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// Sorting: by bits, eleven at a time, so that equals stay in order.

void cri_sort_keys(cri_sort_key *keys, cri_sort_key *spare, int count, int bits)
{
    enum { DIGIT = 11, RADIX = 1 << DIGIT };
    cri_sort_key *from = keys, *to = spare;
    for (int shift = 0; shift < bits; shift += DIGIT) {
        int starts[RADIX + 1] = {0};
        for (int i = 0; i < count; i++) {
            starts[((from[i].key >> shift) & (RADIX - 1)) + 1]++;
        }
        for (int i = 0; i < RADIX; i++) {
            starts[i + 1] += starts[i];
        }
        for (int i = 0; i < count; i++) {
            to[starts[(from[i].key >> shift) & (RADIX - 1)]++] = from[i];
        }
        cri_sort_key *other = from;
        from = to;
        to = other;
    }
    if (from != keys) {
        memcpy(keys, from, (size_t)count * sizeof *keys);
    }
}

uint64_t cri_key_of(float value)
{
    uint32_t bits;
    value += 0.0f; // one zero
    memcpy(&bits, &value, sizeof bits);
    return bits >> 31 ? ~bits : bits | 0x80000000u;
}

// ---------------------------------------------------------------------------------------------
// Columns.

// How boxes lie along an axis: the mean of their middles, how far these are from it (root of the
// mean square), and their mean width.
typedef struct lying {
    float middle, spread, width;
} lying;

static lying lying_along(const cri_span *boxes, int count, int k)
{
    float sum = 0, square = 0, wide = 0, all = (float)count;
    for (int i = 0; i < count; i++) {
        float middle = 0.5f * (boxes[i].low[k] + boxes[i].high[k]);
        sum += middle;
        square += middle * middle;
        wide += boxes[i].high[k] - boxes[i].low[k];
    }
    float middle = sum / all, around = square / all - middle * middle;
    return (lying){middle, sqrtf(around > 0 ? around : 0), wide / all + 1e-6f};
}

// Columns cover where boxes are but for stragglers, which belong to those at the rim. There are no
// more of them than boxes.
static cri_column_field lay_field(const cri_span *boxes, int count)
{
    lying l[3];
    cri_column_field f = {0};
    for (int k = 0; k < 3; k++) {
        l[k] = lying_along(boxes, count, k);
        f.along = l[k].spread > l[f.along].spread ? k : f.along;
    }
    for (int n = 0; n < 2; n++) {
        int k = f.across[n] = (f.along + 1 + n) % 3;
        float half = 2.5f * l[k].spread + l[k].width, most = sqrtf((float)count);
        float columns = floorf(half / (0.75f * l[k].width));
        // Worlds that blow up have boxes that are nowhere: one column then, in which nothing meets.
        columns = columns > most ? floorf(most) : columns >= 1 ? columns : 1;
        f.low[n] = l[k].middle - half;
        f.scale[n] = columns / (2 * half);
        f.count[n] = (int)columns;
    }
    return f;
}

static int column_of(const cri_column_field *f, int n, float at)
{
    float column = (at - f->low[n]) * f->scale[n], last = (float)(f->count[n] - 1);
    return column > 0 ? (int)(column < last ? column : last) : 0;
}

// The columns that a box reaches into: first and last, each way. Returns how many they are.
static int reach_of(const cri_column_field *f, const cri_span *box, int reach[2][2])
{
    for (int n = 0; n < 2; n++) {
        reach[n][0] = column_of(f, n, box->low[f->across[n]]);
        reach[n][1] = column_of(f, n, box->high[f->across[n]]);
    }
    return (reach[0][1] - reach[0][0] + 1) * (reach[1][1] - reach[1][0] + 1);
}

// Boxes in the order of their low ends, and which of them stands in which column.
static void fill_columns(cri_columns *s, const cri_column_field *f, const cri_span *boxes,
                         int count)
{
    int columns = f->count[0] * f->count[1], sum = 0;
    for (int i = 0; i < count; i++) {
        s->order[i] = (cri_sort_key){cri_key_of(boxes[i].low[f->along]), i};
    }
    cri_sort_keys(s->order, s->spare, count, 32);
    memset(s->column_ends, 0, ((size_t)columns + 1) * sizeof *s->column_ends);
    s->wide_count = 0;
    for (int i = 0; i < count; i++) {
        int reach[2][2];
        s->sorted[i] = boxes[s->order[i].index];
        bool wide = reach_of(f, &s->sorted[i], reach) > CRI_REACH_MAX;
        s->first_column[i] = wide ? -1 : reach[0][0] * f->count[1] + reach[1][0];
        if (wide) {
            s->wide[s->wide_count++] = i;
        }
        for (int x = reach[0][0]; x <= reach[0][1] && !wide; x++) {
            for (int y = reach[1][0]; y <= reach[1][1]; y++) {
                s->column_ends[x * f->count[1] + y]++;
            }
        }
    }
    for (int c = 0; c <= columns; c++) {
        int size = s->column_ends[c];
        s->column_ends[c] = sum;
        sum += size;
    }
    for (int i = 0; i < count; i++) {
        int reach[2][2];
        if (s->first_column[i] >= 0) {
            reach_of(f, &s->sorted[i], reach);
            for (int x = reach[0][0]; x <= reach[0][1]; x++) {
                for (int y = reach[1][0]; y <= reach[1][1]; y++) {
                    s->stand[s->column_ends[x * f->count[1] + y]++] =
                        (cri_standing){s->sorted[i], {(int16_t)reach[0][0], (int16_t)reach[1][0]}};
                }
            }
        }
    }
}

static int later(int a, int b)
{
    return a > b ? a : b;
}

// Two boxes of a column that meet along it do so across it. They are told of in the first column
// of both, each way.
static bool meet_here(const cri_column_field *f, const int column[2], const cri_standing *a,
                      const cri_standing *b)
{
    int x = f->across[0], y = f->across[1];
    return a->span.low[x] <= b->span.high[x] && b->span.low[x] <= a->span.high[x] &&
           a->span.low[y] <= b->span.high[y] && b->span.low[y] <= a->span.high[y] &&
           later(a->first[0], b->first[0]) == column[0] &&
           later(a->first[1], b->first[1]) == column[1];
}

static void sweep_column(const cri_columns *s, int column, cri_columns_found *found, void *seeker)
{
    const cri_column_field *f = &s->field;
    const int here[2] = {column / f->count[1], column % f->count[1]};
    const cri_standing *end = &s->stand[s->column_ends[column]];
    for (const cri_standing *a = &s->stand[column > 0 ? s->column_ends[column - 1] : 0]; a < end;
         a++) {
        float high = a->span.high[f->along];
        for (const cri_standing *b = a + 1; b < end && b->span.low[f->along] <= high; b++) {
            if (meet_here(f, here, a, b)) {
                found(seeker, a->span.solid, b->span.solid);
            }
        }
    }
}

static void meet_wide(const cri_columns *s, cri_columns_found *found, void *seeker)
{
    for (int n = 0; n < s->wide_count; n++) {
        int one = s->wide[n];
        for (int i = 0; i < s->span_count; i++) {
            // Two wide ones meet once.
            bool once = s->first_column[i] >= 0 || i > one;
            if (once && cri_spans_meet(&s->sorted[one], &s->sorted[i])) {
                found(seeker, s->sorted[one].solid, s->sorted[i].solid);
            }
        }
    }
}

bool cri_columns_init(cri_columns *s, cri_arena *arena, int span_max)
{
    size_t count = (size_t)span_max + 2;
    s->sorted = cri_arena_alloc(arena, count, sizeof *s->sorted);
    s->first_column = cri_arena_alloc(arena, count, sizeof *s->first_column);
    s->column_ends = cri_arena_alloc(arena, count, sizeof *s->column_ends);
    s->stand = cri_arena_alloc(arena, count * CRI_REACH_MAX, sizeof *s->stand);
    s->wide = cri_arena_alloc(arena, count, sizeof *s->wide);
    s->order = cri_arena_alloc(arena, count, sizeof *s->order);
    s->spare = cri_arena_alloc(arena, count, sizeof *s->spare);
    return s->sorted && s->first_column && s->column_ends && s->stand && s->wide && s->order &&
           s->spare;
}

void cri_columns_stand(cri_columns *s, const cri_span *boxes, int count)
{
    s->span_count = count;
    s->column_count = s->wide_count = 0;
    if (count > 0) {
        s->field = lay_field(boxes, count);
        s->column_count = s->field.count[0] * s->field.count[1];
        fill_columns(s, &s->field, boxes, count);
    }
}

void cri_columns_seek(const cri_columns *s, int thing, cri_columns_found *found, void *seeker)
{
    if (thing < s->column_count) {
        sweep_column(s, thing, found, seeker);
    } else {
        meet_wide(s, found, seeker);
    }
}

void cri_columns_sweep(cri_columns *s, const cri_span *boxes, int count, cri_columns_found *found,
                       void *seeker)
{
    cri_columns_stand(s, boxes, count);
    for (int i = 0; i <= s->column_count; i++) {
        cri_columns_seek(s, i, found, seeker);
    }
}
