// Who may collide with whom. Pairs are numbered by (a, b), a < b, those that cannot meet left out.
//
// Whether two bodies may meet depends on what they are (fixed, driven, upright, a plane), but for
// pairs that the scene names. So nothing is stored pair by pair: the number of a pair is that of
// the first of its row, and how many bodies between a and b are of a class that a meets.
#ifndef CRI_PAIRS_H
#define CRI_PAIRS_H

#include <stdbool.h>

#include "base/arena.h"
#include "carom/model.h"

enum { CRI_CLASSES = 16 };

// A pair of bodies that may collide.
typedef struct cri_pair {
    int a, b;      // a < b
    int watched;   // bit of the state, or -1
    bool responds; // false: contacts are reported but nothing bounces (neither can be moved)
} cri_pair;

// What is known of pairs beforehand: pairs asked about, and pairs that must pass through each
// other.
typedef struct cri_pair_wish {
    int a, b;
    bool watch; // true: keep a touched bit; false: never collide
} cri_pair_wish;

// A pair that the scene names.
typedef struct cri_named_pair {
    int a, b;
    bool meets;
    int watched;
    int shift; // of numbers after it in its row
} cri_named_pair;

typedef struct cri_pairs {
    int body_count, count, watched_count;
    unsigned char *class_of; // by body
    bool meet[CRI_CLASSES][CRI_CLASSES];
    bool pushed[CRI_CLASSES];
    int *rows;                // by body: its first pair; and one more
    int *before[CRI_CLASSES]; // by body: bodies of the class before it; NULL: there are none at all
    int *names;               // by body: its first named pair; and one more
    cri_named_pair *named;    // sorted
    int *watched;             // by bit: the pair
} cri_pairs;

// False: no memory.
bool cri_pairs_init(cri_pairs *pairs, cri_arena *arena, const cr_body *bodies, int body_count,
                    const cri_pair_wish *wishes, int wish_count);

// Whether two bodies may meet; the number of their pair, or -1; the bit of the state, or -1.
bool cri_pairs_meet(const cri_pairs *pairs, int a, int b);
int cri_pairs_find(const cri_pairs *pairs, int a, int b);
int cri_pairs_bit(const cri_pairs *pairs, int a, int b);

// The pair of a number.
cri_pair cri_pairs_at(const cri_pairs *pairs, int index);

#endif
