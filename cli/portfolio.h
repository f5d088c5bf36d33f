// Many seeds, one plan: the searches of a portfolio go over all processes, and one of them wins.
#ifndef CLI_PORTFOLIO_H
#define CLI_PORTFOLIO_H

#include "search.h"

typedef enum winner_by {
    WINNER_STEPS, // the fewest steps to a solution: nothing of it depends on time
    WINNER_TIME,  // the first by the clock
    WINNER_RANK,  // the best by the scene's rank, all seeds searched to their limits
} winner_by;

typedef struct portfolio_def {
    seed_range seeds; // last < first: none is asked for
    winner_by by;
    const char *journal; // or NULL
} portfolio_def;

// What became of a seed.
typedef enum portfolio_grade {
    GRADE_BEATEN, // it was ended because another one had won
    GRADE_NONE,   // no plan within its limits
    GRADE_PART,   // fewer solutions than asked for, or the best future of a scene without a goal
    GRADE_SOLVED,
} portfolio_grade;

typedef struct portfolio_entry {
    uint64_t seed;
    portfolio_grade grade;
    search_counts counts;
    double worth;  // GRADE_PART and GRADE_SOLVED: of its plan, by the scene's rank
    int64_t steps; // of that plan
} portfolio_entry;

// What came of all.
typedef struct portfolio_result {
    bool any; // there is a winner, if only the least bad
    portfolio_entry winner;
    char *text; // of its plan file, owned; empty: GRADE_NONE and below
    size_t length;
    int64_t steps; // of all searches, those that were beaten too
    int code;      // of cluster_run
} portfolio_result;

// The options, three rows of a table.
enum { PORTFOLIO_OPTIONS = 3 };
int portfolio_options(portfolio_def *def, option_row rows[PORTFOLIO_OPTIONS]);

// One of them, for other tables.
option_row portfolio_winner_option(winner_by *by);

// The word for it: "steps".
const char *winner_name(winner_by by);

// Search all seeds; free result->text. Returns -1, or the exit code of what failed; in processes
// that are not the lead there is no winner.
int portfolio_run(const portfolio_def *def, const search *asked, const search_scene *scene,
                  portfolio_result *result);

#endif
