// What a plan does, found out by the test itself from the replay's states, actions and contacts,
// and readers of what the program writes.
#ifndef TESTS_FEEDBACK_H
#define TESTS_FEEDBACK_H

#include <carom/carom.h>

enum { TOLD_MAX = 4096 };

typedef struct told_skill {
    int tactic, skill, from, to; // frames
} told_skill;

typedef struct told_contact {
    int frame;
    cr_contact contact;
} told_contact;

// One solution. bodies[frame * tracks + slot]; actions likewise, held from the frame on.
typedef struct told {
    const cr_model *model;
    int tracks, frames;
    cr_body_state *bodies;
    cr_action *actions;
    double *scores;
    int skill_count, contact_count;
    told_skill skills[TOLD_MAX];
    told_contact contacts[TOLD_MAX];
} told;

// Replay a solution; free it with told_free.
told *told_by_replay(const cr_plan *plan, int solution);
void told_free(told *t);

// A table: cells are read in order, line by line.
typedef struct sheet {
    char *text, *at;
} sheet;

sheet sheet_open(const char *path, const char *heading);
bool sheet_ended(const sheet *s);
const char *sheet_word(sheet *s); // the next cell
double sheet_number(sheet *s);    // the next cell, which must be one; NAN if empty
void sheet_close(sheet *s);

// The bytes of docs/playback-format.md.
typedef struct blob {
    unsigned char *bytes;
    size_t length, at; // at: of the next column
    char *header;
} blob;

blob blob_take(const void *bytes, size_t length); // a copy
blob blob_of_page(const char *path);              // out of an .html
void blob_free(blob *b);

typedef struct blob_column {
    double step;
    int count;
    double *values; // free() them
} blob_column;

blob_column blob_next(blob *b);

// The number behind the n-th "key": of the header.
double blob_number(const blob *b, const char *key, int n);

#endif
