// JSON on stdout in place of text, for scripts (--json): one document a run, written as the work
// goes on. What goes wrong is in it too. docs/json.md has the keys.
#ifndef TERMINAL_JSON_H
#define TERMINAL_JSON_H

#include "terminal/terminal.h"

// The option, for the table of a command.
option_row json_option(void);

// True once --json was read: the command prints no text on stdout.
bool json_wanted(void);

// Help is wanted instead.
void json_forget(void);

// Keep the errors of a report for the end of the document.
void json_keep(const cr_report *report);

// End the document, if one is wanted, with exit code and errors. Wrong usage has none.
void json_end(int code);

// ---------------------------------------------------------------------------------------------
// What is in it. key is NULL inside of a list.

typedef enum json_kind { JSON_OBJECT, JSON_LIST } json_kind;

void json_open(const char *key, json_kind kind);
void json_close(void);
void json_text(const char *key, const char *value); // NULL: null. What is no UTF-8 is replaced
void json_count(const char *key, int64_t value);
void json_number(const char *key, double value); // all its bits; not finite: null
void json_flag(const char *key, bool value);
void json_hash(const char *key, uint64_t value); // hexadecimal, as a text
void json_vector(const char *key, cr_vec3 value);

#endif
