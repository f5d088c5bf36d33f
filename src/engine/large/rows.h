// Rows and lanes of a large world: what lies in memory thing by thing becomes lanes, and back.
#ifndef CRI_LARGE_ROWS_H
#define CRI_LARGE_ROWS_H

#include "engine/lanes/patch.h"
#include "engine/large/large.h"

// A field of eight neighbours.
INLINE cri_lanes3 load3(float *const field[3], int at)
{
    return cri_lanes3_of(cri_lanes_load(&field[0][at]), cri_lanes_load(&field[1][at]),
                         cri_lanes_load(&field[2][at]));
}

INLINE void store3(float *const field[3], int at, cri_lanes3 v)
{
    cri_lanes_store(&field[0][at], v.x);
    cri_lanes_store(&field[1][at], v.y);
    cri_lanes_store(&field[2][at], v.z);
}

INLINE cri_mask load_mask(const int32_t *field, int at)
{
    cri_mask mask;
    memcpy(&mask, &field[at], sizeof mask);
    return mask;
}

// Rows are fetched so many bundles ahead.
enum { SOON = 2 };

// Which rows the lanes are of.
typedef struct rows {
    int of[CRI_LANES];
} rows;

// A block of eight numbers of a row becomes eight lanes.
INLINE void gather(const float *block, size_t stride, const rows *r, cri_lanes out[8])
{
#if CRI_LANES == 1
    memcpy(out, &block[(size_t)r->of[0] * stride], 8 * sizeof *out);
#else
    for (int i = 0; i < 8; i++) {
        out[i] = cri_lanes_load(&block[(size_t)r->of[i] * stride]);
    }
    cri_lanes_transpose(out);
#endif
}

// And back, in some lanes, by their bits.
INLINE void scatter(float *block, size_t stride, const rows *r, unsigned lanes,
                    const cri_lanes in[8])
{
#if CRI_LANES == 1
    if (lanes) {
        memcpy(&block[(size_t)r->of[0] * stride], in, 8 * sizeof *in);
    }
#else
    cri_lanes m[8];
    memcpy(m, in, sizeof m);
    cri_lanes_transpose(m);
    for (int i = 0; i < 8; i++) {
        if ((lanes >> i) & 1) {
            cri_lanes_store(&block[(size_t)r->of[i] * stride], m[i]);
        }
    }
#endif
}

enum { ALL_LANES = (1 << CRI_LANES) - 1 };

// The same for eight neighbours, from row `at` on.
INLINE void spread_rows(float *block, size_t stride, int at, const cri_lanes in[8])
{
    rows r;
    for (int i = 0; i < CRI_LANES; i++) {
        r.of[i] = at + i;
    }
    scatter(block, stride, &r, ALL_LANES, in);
}

INLINE cri_lanes3 three_of(const cri_lanes *in)
{
    return cri_lanes3_of(in[0], in[1], in[2]);
}

INLINE sym sym_of(const cri_lanes *in)
{
    return (sym){in[0], in[1], in[2], in[3], in[4], in[5]};
}

// A body as patches see it.
typedef struct body_seen {
    sym unroot;
    cri_lanes mass, lift_mass; // inverse
    cri_lanes3 place, velocity, spin;
    cri_lanes3 next, swing; // predicted
    cri_mask driven;        // it turns, and no impulse changes that
} body_seen;

INLINE body_seen see_body(const cri_large *w, const rows *r)
{
    cri_lanes m[8], p[8], s[8];
    gather(w->body_rows, CRI_BODY_ROW, r, m);
    gather(w->body_rows + 8, CRI_BODY_ROW, r, p);
    gather(w->body_rows + 16, CRI_BODY_ROW, r, s);
    cri_lanes most =
        lanes_max(lanes_max(cri_lanes_abs(s[0]), cri_lanes_abs(s[1])), cri_lanes_abs(s[2]));
    return (body_seen){.unroot = sym_of(m),
                       .mass = m[6],
                       .lift_mass = m[7],
                       .place = three_of(p),
                       .velocity = three_of(&p[4]),
                       .spin = three_of(s),
                       .next = three_of(&s[3]),
                       .swing = cri_lanes3_of(s[6], s[7], p[7]),
                       .driven =
                           ~is_less(cri_lanes_all(0), m[6]) & is_less(cri_lanes_all(0), most)};
}

// A solid as collision sees it.
typedef struct solid_seen {
    stance at;
    cri_lanes half[3], radius;
} solid_seen;

INLINE solid_seen see_solid(const cri_large *w, const rows *r)
{
    cri_lanes one[8], two[8];
    gather(w->stances, CRI_STANCE_ROW, r, one);
    gather(w->stances + 8, CRI_STANCE_ROW, r, two);
    return (solid_seen){
        {three_of(one),
         {cri_lanes3_of(one[7], two[0], two[1]), three_of(&two[2]), three_of(&two[5])}},
        {one[3], one[4], one[5]},
        one[6]};
}

#endif
