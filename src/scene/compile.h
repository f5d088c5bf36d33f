// What the files that compile a scene share: the state of the work, and reading of values.
//
// Nothing stops at an error. A reader reports, leaves its target as it was and says false; names
// are entered before anything refers to them, so one mistake is not reported twice. Whatever was
// allocated may be NULL once status is CR_ERR_MEMORY: every allocation is checked where it is made.
#ifndef CRI_COMPILE_H
#define CRI_COMPILE_H

#include "scene/expression.h"
#include "scene/keys.h"
#include "scene/model.h"
#include "base/document.h"

// What is known of a body beyond its cr_body while the scene is compiled.
typedef struct cri_body_source {
    const cri_node *key;
    cr_vec3 center;  // of mass, in the frame of the file
    cr_quat base;    // its rotation but for the heading
    cr_vec3 at;      // of the frame of the file
    double heading;  // as written
    bool rests;      // on the ground ...
    double lift;     // ... or so far above it
    bool kind_known; // its kind could be read: other errors may depend on it
} cri_body_source;

// A crowd whose name stands for one of its members, while what is said of each is read.
typedef struct cri_scope {
    int crowd, member;
} cri_scope;

typedef struct cri_damping {
    double linear, angular;
} cri_damping;

// A condition that cannot change; whether it holds is known once there is a start.
typedef struct cri_steady {
    const cri_condition *condition;
    const cri_node *node;
    const struct cri_steady *next;
} cri_steady;

enum { CRI_SCOPES_MAX = 4 };

typedef struct cri_compiler cri_compiler;

// The planner's parameters stand in `plan:` and among the settings; their table is the planner's.
// It stands above the scene, which is therefore handed what it needs of it.
typedef struct cri_plan_reader {
    bool (*has)(const char *name); // whether the planner has a parameter of that name
    void (*read)(cri_compiler *c); // defaults, `plan:` and settings into model->def
} cri_plan_reader;

struct cri_compiler {
    cr_model *model;
    const cr_library *library;
    const cri_plan_reader *plan;
    const char *file;
    cr_report *report;
    cr_status status;  // of the first error
    char subject[200]; // what is being read, as in `body "ball"`; starts every message
    cri_constants constants;
    const cri_node *top[CRI_KEYS_MAX]; // the values of the top level, NULL where missing
    cri_body_source *sources;          // by body
    cri_damping *dampings;             // by material
    cri_skill **skills;                // by Tactic: its Skills, while they may be changed
    int self;   // the body of the Tactic whose Skills are read, -1 elsewhere: who goes to places
    int errors; // reported
    cri_scope scopes[CRI_SCOPES_MAX];
    int scope_count;
    int64_t said;                // things said of members, so far
    int memory_capacity;         // of model->memories
    cri_pair_wish *wishes;       // malloc
    const cri_node **wish_nodes; // malloc; where a wish must be a pair, else NULL
    int wish_count, wish_capacity;
    const cri_steady *steady;
    struct cri_start_row *start_rows; // of `start:`; see compile_start.c
    int start_count;
};

enum {
    CRI_ENTRIES_MAX = 1024,         // of `bodies:`
    CRI_BODIES_MAX = 8192,          // with the members of crowds
    CRI_JOINED_MAX = CRI_SMALL_MAX, // bodies of a scene with joints
    CRI_MATERIALS_MAX = 256,
    CRI_REGIONS_MAX = 4096,
    CRI_JOINTS_MAX = 256, // a step solves those that hang together at once
    CRI_PARTS_MAX = 256,
    CRI_NAME_MAX = 63,
};

// ---------------------------------------------------------------------------------------------
// Errors and memory.

void cri_compile_subject(cri_compiler *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Report at a node, subject first; returns false.
bool cri_compile_fail(cri_compiler *c, cr_status status, const cri_node *node, const char *format,
                      ...) __attribute__((format(printf, 4, 5)));

// The same for what has no effect, and is no error.
void cri_compile_warn(cri_compiler *c, const cri_node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Report that memory ran out, once.
void cri_compile_no_memory(cri_compiler *c);

void *cri_compile_alloc(cri_compiler *c, size_t count, size_t size);

// An unknown name: `unknown body "bal"; did you mean "ball"?`.
bool cri_compile_unknown(cri_compiler *c, const cri_node *node, const char *what,
                         const cri_suggestion *suggestion);

// ---------------------------------------------------------------------------------------------
// Reading.

// Limits of a number; above: min itself is out.
typedef struct cri_range {
    double min, max;
    bool above;
} cri_range;

extern const cri_range cri_range_any;      // finite and not absurd
extern const cri_range cri_range_length;   // > 0
extern const cri_range cri_range_positive; // > 0
extern const cri_range cri_range_share;    // 0 .. 1
extern const cri_range cri_range_not_negative;

// A mapping with keys from a table: values[i] is what stands at row i, or NULL.
bool cri_read_map(cri_compiler *c, const cri_node *node, const cri_keys *keys,
                  const cri_node **values);

// A mapping with one key from a table: its row, or -1.
int cri_read_choice(cri_compiler *c, const cri_node *node, const cri_keys *keys,
                    const cri_node **value);

// A mapping of names (of bodies, ...) with at most max entries; what as in "bodies".
bool cri_read_names(cri_compiler *c, const cri_node *node, const char *what, int max);

bool cri_read_list(cri_compiler *c, const cri_node *node, const char *what, int min, int max);
bool cri_read_number(cri_compiler *c, const cri_node *node, const char *what,
                     const cri_range *range, double *value);
bool cri_read_count(cri_compiler *c, const cri_node *node, const char *what, int min, int max,
                    int *value);
bool cri_read_flag(cri_compiler *c, const cri_node *node, const char *what, bool *value);

// One of the words in "a|b|c": its index.
bool cri_read_word(cri_compiler *c, const cri_node *node, const char *what, const char *words,
                   int *index);

// A list of min .. 3 numbers; the rest is 0. count may be NULL.
bool cri_read_vector(cri_compiler *c, const cri_node *node, const char *what, int min, int *count,
                     cr_vec3 *vector);

// Names: an index, or -1 after a report. A thing is a body, or -1 - region.
int cri_read_body(cri_compiler *c, const cri_node *node, const char *what);
int cri_read_region(cri_compiler *c, const cri_node *node, const char *what);
bool cri_read_thing(cri_compiler *c, const cri_node *node, const char *what, int *thing);
int cri_read_material(cri_compiler *c, const cri_node *node, const char *what);
// kind: as "hinge", or "" for any.
int cri_read_joint(cri_compiler *c, const cri_node *node, const char *what, const char *kind);

// A body, or all of a crowd: the first one and how many; false after a report.
bool cri_read_bodies(cri_compiler *c, const cri_node *node, const char *what, int *first,
                     int *count);

// `heading` (a turn about z) or `rotation` (a quaternion), one of them at most.
bool cri_read_rotation(cri_compiler *c, const cri_node *heading, const cri_node *rotation,
                       cr_quat *base, double *angle);

// `damping: {linear, angular}`; what is not given stays as it was.
void cri_read_damping(cri_compiler *c, const cri_node *node, cri_damping *damping);

// ---------------------------------------------------------------------------------------------
// Parts of a scene, one file each.

void cri_compile_materials(cri_compiler *c); // and pairs
bool cri_compile_shape(cri_compiler *c, const cri_node *node, cr_shape *shape, cr_pose *pose);
void cri_compile_bodies(cri_compiler *c);
void cri_compile_joints(cri_compiler *c);
void cri_compile_pictures(cri_compiler *c);
void cri_compile_regions(cri_compiler *c);
void cri_compile_sample(cri_compiler *c);
void cri_compile_start(cri_compiler *c);
void cri_compile_tactics(cri_compiler *c);
void cri_compile_goal(cri_compiler *c); // and rules and score
void cri_compile_decor(cri_compiler *c);

// `far:`, once pairs are known. compile_far.c.
void cri_compile_far(cri_compiler *c);

// A colour by name or "#rrggbb"; stays as it was after a report.
void cri_read_color(cri_compiler *c, const cri_node *node, uint32_t *color);

// What a number or place may be made of, besides constants.
typedef enum cri_draws {
    CRI_DRAWS_NONE,   // nothing is drawn
    CRI_DRAWS_START,  // distributions, but no sample
    CRI_DRAWS_SAMPLE, // all
} cri_draws;

bool cri_read_distribution(cri_compiler *c, const cri_node *node, const char *what,
                           const cri_range *range, cri_draws draws, cri_number *number);
// False after a report if something is drawn where draws does not allow it.
bool cri_check_draws(cri_compiler *c, const cri_node *node, const char *what, cri_draws draws,
                     cri_draws needed);

// compile_places.c
bool cri_read_place(cri_compiler *c, const cri_node *node, const char *what, cri_draws draws,
                    cri_where *place);

// True if a place is drawn when a Skill is entered, and stays; else it is worked out when asked
// for.
bool cri_place_is_drawn(const cri_where *place);

// A parameter's value; *drawn counts the doubles that are drawn. node NULL: the default.
bool cri_read_value(cri_compiler *c, const cri_node *node, const cr_param *param, cri_draws draws,
                    cri_value *value, int *drawn);

// What is said of some things: a list, one entry for each, or {each: crowd, is: ...}, once for each
// member. compile_crowds.c.
typedef struct cri_said {
    const cri_node *list; // NULL: of a crowd
    const cri_node *is;
    int crowd, count;
} cri_said;

bool cri_read_said(cri_compiler *c, const cri_node *node, const char *what, cri_said *said);

// What is said of the i-th, with the crowd's name standing for the member until cri_end_said.
const cri_node *cri_begin_said(cri_compiler *c, const cri_said *said, int index);
void cri_end_said(cri_compiler *c, const cri_said *said);

// The crowd that {each: crowd} names, or -1 after a report.
int cri_read_crowd(cri_compiler *c, const cri_node *node, const char *what);

// crowd.1, crowd.2, ... for members 0, 1, ...; "" when memory runs out.
const char *cri_member_name(cri_compiler *c, const char *crowd, int member);

// A scope by itself.
void cri_enter_scope(cri_compiler *c, int crowd, int member);
void cri_leave_scope(cri_compiler *c);

// How a body's entry is laid out as a crowd: compile_crowds.c.
typedef struct cri_rows {
    bool crowd;
    int count;
    int grid[3];
    cr_vec3 pitch;
    double bend;
    const cri_node *places; // a place each; NULL: in rows
} cri_rows;

void cri_read_rows(cri_compiler *c, const cri_node *node, cri_rows *rows);

// Where a member of a row is, from where the first one is.
cr_vec3 cri_row_offset(const cri_rows *rows, int member, double heading);

// Regions that are the cells of a picture: compile_cells.c. How many regions an entry of `regions:`
// makes; the entry's cells, laid out like one region, shaped as it is if it has a shape.
int cri_count_cells(cri_compiler *c, const cri_node *node, cri_cells *cells);
void cri_read_cells(cri_compiler *c, const cri_node *node, const cri_node *const *values,
                    const cri_cells *cells, bool shaped, const cr_region *like);

// The region that such a name is, where a member of its crowd is spoken of, or -1. Where none is:
// false after a report, true if it is no such name.
int cri_find_cell(const cri_compiler *c, const char *name);
bool cri_check_cell(cri_compiler *c, const cri_node *node);

bool cri_read_condition(cri_compiler *c, const cri_node *node, cri_condition *condition);
bool cri_read_score(cri_compiler *c, const cri_node *node, cri_score *score);

// A condition or a quantity, as it stands in a scene: compile_phrase.c.
typedef struct cri_phrase {
    const char *name;
    int param_count;
    const cr_param *params;
    bool asks_touch, only_params;
} cri_phrase;

// Its values: a list in the order of its parameters, or one value without a list.
bool cri_read_phrase(cri_compiler *c, const cri_node *node, const cri_phrase *phrase,
                     const cri_value **values);

// False after a report if something is named twice. moves: something that it names may move, or it
// looks at more than it names.
bool cri_check_things(cri_compiler *c, const cri_node *node, const cri_phrase *phrase,
                      const cri_value *values, bool *moves);

// Items of a list must differ, and an item and its opposite must not both be there; `opposite` says
// what such a list comes to.
bool cri_check_repeats(cri_compiler *c, const cri_node *list, const char *what,
                       const char *opposite);

// True if of two conditions one is the other's `not`.
bool cri_are_opposite(const cri_node *a, const cri_node *b);

// True if a body may be somewhere else at another time or at another start.
bool cri_body_moves(const cri_compiler *c, int body);

// The index of a Skill of that Tactic, or -1 after a report.
int cri_read_skill(cri_compiler *c, const cri_node *node, int tactic);

// Ask for a touched bit (watch) or for passing through. node: reported if the two never meet.
void cri_wish(cri_compiler *c, cri_pair_wish wish, const cri_node *node);

// Place a body: where its frame of the file is and how it is turned.
cr_pose cri_body_place(const cri_body_source *source, const cr_body *body, cr_vec3 at,
                       double heading);

// After cri_model_finish: bodies must not overlap; starts are drawn; conditions can change; what
// nobody uses is warned of.
void cri_check_overlaps(cri_compiler *c);
void cri_draw_start(cri_compiler *c);
void cri_check_steady(cri_compiler *c);
void cri_find_draws(cri_compiler *c);     // Tactics that may draw are marked
void cri_warn_unreached(cri_compiler *c); // Skills that no transition leads to
void cri_warn_idle(cri_compiler *c);      // controlled bodies without a Tactic
void cri_warn_materials(cri_compiler *c); // of no part

// ---------------------------------------------------------------------------------------------

// Compile a scene: cr_model_create, once it knows the planner's side.
cr_status cri_model_compile(const cr_scene *scene, const cr_library *library,
                            const cri_plan_reader *plan, int start, cr_model **model,
                            cr_report *report);

#endif
