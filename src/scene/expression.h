// Numbers in scene files are expressions: `1.5`, `90 deg`, `-2 * pi / 3`, `hole_x - distance`.
#ifndef CRI_EXPRESSION_H
#define CRI_EXPRESSION_H

#include "carom/base.h"

// A name and what it stands for.
typedef struct cri_constant {
    const char *name;
    double value;
    bool used; // by an expression, since it was made
} cri_constant;

typedef struct cri_constants {
    cri_constant *rows;
    int count;
} cri_constants;

// What is wrong with an expression, and where: bytes from its start.
typedef struct cri_expression_error {
    cr_status status;
    int offset;
    char message[200];
} cri_expression_error;

// Compute. True if *value is a finite number, else the error is filled.
bool cri_expression(const char *text, const cri_constants *constants, double *value,
                    cri_expression_error *error);

// True for a word that an expression can name: letters, digits and _, no digit first, and not one
// of the words with a meaning of their own (pi, deg).
bool cri_expression_is_name(const char *word);

#endif
