// What the formulas of the contact method answer, in the width of the file that includes it: one
// asks in double (test_contact.c), the other in floats (contact_lanes.c).
#ifndef CONTACT_ANSWERS_H
#define CONTACT_ANSWERS_H

// Numbers of any kind, between -1 and 1; formulas make of them what they need.
enum { ASKED = 12, ANSWERS = 36 };

typedef struct question {
    double of[ASKED];
} question;

typedef struct answers {
    double of[ANSWERS];
    int count;
} answers;

answers contact_in_lanes(const question *q);

#endif
