// What carom comes with.
#ifndef CRI_BUILT_IN_H
#define CRI_BUILT_IN_H

// The sorts of things that a library has. Every type begins with its name and what it is about.
typedef enum cri_sort {
    CRI_SORT_SKILL,
    CRI_SORT_CONDITION,
    CRI_SORT_QUANTITY,
    CRI_SORT_SELECT,
    CRI_SORT_RANK,
    CRI_SORT_ENGINE,
    CRI_SORT_COUNT
} cri_sort;

typedef struct cri_type_table {
    const void *const *types; // cr_skill_type, cr_condition_type, ...
    int count;
} cri_type_table;

extern const cri_type_table cri_built_in[CRI_SORT_COUNT];

#endif
