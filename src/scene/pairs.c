// Who may collide with whom.
#include "scene/pairs.h"

#include <assert.h>
#include <stdlib.h>

// ---------------------------------------------------------------------------------------------
// Classes.

enum { MOVES = 1, PUSHED = 2, UPRIGHT = 4, PLANE = 8 };

static unsigned char class_of(const cr_body *body)
{
    bool moves = body->kind != CR_KIND_STATIC;
    bool plane = body->part_count > 0 && body->parts[0].shape.kind == CR_SHAPE_PLANE;
    return (unsigned char)((moves ? MOVES : 0) | (moves && !body->driven ? PUSHED : 0) |
                           (body->upright ? UPRIGHT : 0) | (plane ? PLANE : 0));
}

// Two that could meet if somebody asked.
static bool can_meet(int a, int b)
{
    bool aside = ((a & UPRIGHT) && (b & PLANE)) || ((b & UPRIGHT) && (a & PLANE));
    return ((a | b) & MOVES) && !aside;
}

// ---------------------------------------------------------------------------------------------
// Named pairs.

typedef struct wish {
    int a, b;
    bool ignore, watch;
} wish;

static int by_bodies(const void *one, const void *two)
{
    const wish *p = one, *q = two;
    return p->a != q->a ? (p->a > q->a) - (p->a < q->a) : (p->b > q->b) - (p->b < q->b);
}

// Wishes sorted, one a pair. Returns how many.
static int merge_wishes(const cri_pair_wish *wishes, int count, wish *merged)
{
    int kept = 0;
    for (int i = 0; i < count; i++) {
        const cri_pair_wish *w = &wishes[i];
        merged[i] =
            (wish){w->a < w->b ? w->a : w->b, w->a < w->b ? w->b : w->a, !w->watch, w->watch};
    }
    qsort(merged, (size_t)count, sizeof *merged, by_bodies);
    for (int i = 0; i < count; i++) {
        if (merged[i].a == merged[i].b) {
            continue;
        }
        if (kept > 0 && by_bodies(&merged[kept - 1], &merged[i]) == 0) {
            merged[kept - 1].ignore = merged[kept - 1].ignore || merged[i].ignore;
            merged[kept - 1].watch = merged[kept - 1].watch || merged[i].watch;
        } else {
            merged[kept++] = merged[i];
        }
    }
    return kept;
}

static void name_pairs(cri_pairs *p, const wish *wishes, int count)
{
    int row = -1, shift = 0;
    for (int i = 0; i < count; i++) {
        const wish *w = &wishes[i];
        int one = p->class_of[w->a], two = p->class_of[w->b];
        bool usual = p->meet[one][two];
        bool meets = !w->ignore && (usual || (w->watch && can_meet(one, two)));
        for (; row < w->a; row++) {
            p->names[row + 1] = i;
            shift = 0;
        }
        shift += (int)meets - (int)usual;
        p->named[i] = (cri_named_pair){w->a, w->b, meets, -1, shift};
        if (meets && w->watch) {
            p->named[i].watched = p->watched_count++;
        }
    }
    for (; row < p->body_count; row++) {
        p->names[row + 1] = count;
    }
}

// The first named pair (a, at least b).
static int first_named(const cri_pairs *p, int a, int b)
{
    int low = p->names[a], high = p->names[a + 1];
    while (low < high) {
        int middle = (low + high) / 2;
        if (p->named[middle].b < b) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static const cri_named_pair *named_of(const cri_pairs *p, int a, int b)
{
    int at = first_named(p, a, b);
    return at < p->names[a + 1] && p->named[at].b == b ? &p->named[at] : NULL;
}

// ---------------------------------------------------------------------------------------------
// Numbers.

// How many pairs (a, less than b) there are.
static int count_before(const cri_pairs *p, int a, int b)
{
    const bool *meet = p->meet[p->class_of[a]];
    int sum = 0, named = first_named(p, a, b);
    for (int c = 0; c < CRI_CLASSES; c++) {
        if (meet[c] && p->before[c]) {
            sum += p->before[c][b] - p->before[c][a + 1];
        }
    }
    return sum + (named > p->names[a] ? p->named[named - 1].shift : 0);
}

static bool count_classes(cri_pairs *p, cri_arena *arena)
{
    size_t bodies = (size_t)p->body_count;
    for (int i = 0; i < p->body_count; i++) {
        int class = p->class_of[i];
        if (!p->before[class]) {
            p->before[class] = cri_arena_alloc(arena, bodies + 1, sizeof(int));
        }
        if (!p->before[class]) {
            return false;
        }
        p->before[class][i + 1] = 1;
    }
    for (int c = 0; c < CRI_CLASSES; c++) {
        for (int i = 0; i < p->body_count && p->before[c]; i++) {
            p->before[c][i + 1] += p->before[c][i];
        }
    }
    return true;
}

static bool number(cri_pairs *p, cri_arena *arena)
{
    for (int a = 0; a < p->body_count; a++) {
        p->rows[a] = p->count;
        p->count += count_before(p, a, p->body_count);
    }
    p->rows[p->body_count] = p->count;
    p->watched = cri_arena_alloc(arena, (size_t)p->watched_count + 1, sizeof *p->watched);
    for (int i = 0; i < p->names[p->body_count] && p->watched; i++) {
        const cri_named_pair *n = &p->named[i];
        if (n->watched >= 0) {
            p->watched[n->watched] = cri_pairs_find(p, n->a, n->b);
        }
    }
    return p->watched;
}

bool cri_pairs_init(cri_pairs *p, cri_arena *arena, const cr_body *bodies, int body_count,
                    const cri_pair_wish *wishes, int wish_count)
{
    size_t count = (size_t)body_count;
    *p = (cri_pairs){.body_count = body_count};
    wish *merged = malloc(((size_t)wish_count + 1) * sizeof *merged);
    p->class_of = cri_arena_alloc(arena, count + 1, sizeof *p->class_of);
    p->rows = cri_arena_alloc(arena, count + 1, sizeof *p->rows);
    p->names = cri_arena_alloc(arena, count + 1, sizeof *p->names);
    p->named = cri_arena_alloc(arena, (size_t)wish_count + 1, sizeof *p->named);
    bool good = merged && p->class_of && p->rows && p->names && p->named;
    for (int i = 0; i < body_count && good; i++) {
        p->class_of[i] = class_of(&bodies[i]);
    }
    for (int a = 0; a < CRI_CLASSES; a++) {
        p->pushed[a] = a & PUSHED;
        for (int b = 0; b < CRI_CLASSES; b++) {
            p->meet[a][b] = ((a | b) & PUSHED) && can_meet(a, b);
        }
    }
    if (good) {
        name_pairs(p, merged, merge_wishes(wishes, wish_count, merged));
    }
    free(merged);
    return good && count_classes(p, arena) && number(p, arena);
}

// ---------------------------------------------------------------------------------------------
// Asking.

bool cri_pairs_meet(const cri_pairs *p, int a, int b)
{
    int first = a < b ? a : b, second = a < b ? b : a;
    const cri_named_pair *n =
        p->names[first] < p->names[first + 1] ? named_of(p, first, second) : NULL;
    return n ? n->meets : a != b && p->meet[p->class_of[a]][p->class_of[b]];
}

int cri_pairs_find(const cri_pairs *p, int a, int b)
{
    int first = a < b ? a : b, second = a < b ? b : a;
    return cri_pairs_meet(p, a, b) ? p->rows[first] + count_before(p, first, second) : -1;
}

int cri_pairs_bit(const cri_pairs *p, int a, int b)
{
    const cri_named_pair *n = a < b ? named_of(p, a, b) : named_of(p, b, a);
    return n ? n->watched : -1;
}

// The first body of a pair: the last row that begins no later.
static int row_of(const cri_pairs *p, int index)
{
    int low = 0, high = p->body_count - 1;
    while (low < high) {
        int middle = (low + high + 1) / 2;
        if (p->rows[middle] <= index) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

cri_pair cri_pairs_at(const cri_pairs *p, int index)
{
    assert(index >= 0 && index < p->count);
    int a = row_of(p, index), low = a + 1, high = p->body_count - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (count_before(p, a, middle + 1) > index - p->rows[a]) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    bool responds = p->pushed[p->class_of[a]] || p->pushed[p->class_of[low]];
    return (cri_pair){a, low, cri_pairs_bit(p, a, low), responds};
}
