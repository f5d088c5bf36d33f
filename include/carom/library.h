/// @file library.h
/// A library names the Skills, conditions, quantities, selects, ranks and engines that scenes may
/// use. A scene from a stranger cannot run code: it can only name what is in here. To add your own,
/// create a library (the built-in ones are in it), register, and pass it to cr_model_create.
/// docs/adding.md walks through an example of each; extension.h is for those in a file of their
/// own.
///
/// Threads: a library may be read by any number of threads, also by the models made with it, but
/// not while something is registered. Skills, conditions and quantities are called from all threads
/// of a planner at once.
#ifndef CAROM_LIBRARY_H
#define CAROM_LIBRARY_H

#include "engine.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The sort of value that a Skill or condition takes.
typedef enum cr_param_type {
    CR_PARAM_NUMBER, ///< a number or a distribution of numbers
    CR_PARAM_PLACE,  ///< a point or a distribution of points
    CR_PARAM_BODY,   ///< a body's name
    CR_PARAM_REGION, ///< a region's name
    CR_PARAM_THING,  ///< the name of a body or a region
    CR_PARAM_CHOICE, ///< one of a few words
    CR_PARAM_JOINT,  ///< a joint's name
} cr_param_type;

/// One parameter of a Skill or condition: this row reads it, checks it and documents it.
typedef struct cr_param {
    const char *name;
    cr_param_type type;
    /// "m", "m/s", ... for numbers; the words, "below|above", for choices. For bodies "pushable":
    /// one that forces can move, and not the Skill's own. For regions "box": a box. For joints the
    /// kind that it must be of, "hinge"; or "" for any. Else "".
    const char *unit;
    double min, max;      ///< for numbers, both included. Both 0: any finite number
    const char *fallback; ///< the default, as text of a scene file; NULL if it must be given
    const char *about;
} cr_param;

#define CR_PARAMS_MAX          12
#define CR_SKILL_VARIABLES_MAX 8

/// What a Skill's operator sees and fills. Parameters are given by their index in the type's table;
/// those with distributions were drawn when the Skill was entered and stay as they are while it is
/// busy.
typedef struct cr_skill_call {
    const cr_model *model;
    const cr_state *state; ///< before the step
    int tactic;            ///< the Tactic that calls
    int body;              ///< the body it controls
    bool entered;          ///< true at the first call since the Skill was entered
    double *variables;     ///< the Skill's own, cr_skill_type.variables of them; zero when entered
    cr_action *actions;    ///< by slot; to be changed. Zero before the first Tactic of the step
    const void *values;    ///< the compiled parameters
    int value_count;       ///< how many: as many as the type's table has rows
    const double *drawn;   ///< what was drawn for them
    void *steering;        ///< of the built-in Skills, whose drives are added after all have acted
} cr_skill_call;

/// What a Skill answers.
typedef enum cr_skill_result {
    CR_SKILL_IS_BUSY, ///< go on with the same Skill and variables
    CR_SKILL_IS_DONE, ///< the next step begins with a transition
    CR_SKILL_IS_END,  ///< nothing more can come of this future: end the branch here
} cr_skill_result;

/// Which bodies a Skill has an effect on. A Tactic of another body may not use it.
typedef enum cr_skill_for {
    CR_FOR_MOVING, ///< every body that is not static
    CR_FOR_DRIVEN, ///< driven bodies: it sets their velocity
    CR_FOR_PUSHED, ///< bodies that forces move: neither static nor driven
} cr_skill_for;

/// A Skill s = <C, D, f> (003, definition 4.2.1): C and D are its parameters, f its operator.
typedef struct cr_skill_type {
    const char *name;
    const char *about;
    int param_count;
    const cr_param *params; ///< at most CR_PARAMS_MAX
    int variables;          ///< doubles that it keeps while it is busy, 0 .. CR_SKILL_VARIABLES_MAX
    /// The operator. Must depend on nothing but the call.
    cr_skill_result (*act)(const cr_skill_call *call);
    /// True if it asks cr_skill_touched about the body it controls and the bodies in its
    /// parameters.
    bool asks_touch;
    /// True if the first of its own variables is the work that it has done, in J: scores can ask
    /// for it as `effort`.
    bool keeps_effort;
    cr_skill_for bodies; ///< that it may control. default CR_FOR_MOVING
} cr_skill_type;

/// A parameter's value in a call, by its row in the type's table. Asking for a row that is not
/// there, or for another sort than the table says, is a bug.
CR_API double cr_skill_number(const cr_skill_call *call, int param);
CR_API cr_vec3 cr_skill_place(const cr_skill_call *call, int param);
CR_API int cr_skill_body(const cr_skill_call *call, int param);
CR_API int cr_skill_region(const cr_skill_call *call, int param);
CR_API int cr_skill_choice(const cr_skill_call *call, int param);

/// True if the two bodies touched during the last step. The Skill's type must say asks_touch.
CR_API bool cr_skill_touched(const cr_skill_call *call, int a, int b);

/// The action of a body, to be changed; NULL if the body cannot move.
CR_API cr_action *cr_skill_action(const cr_skill_call *call, int body);

/// What a condition sees.
typedef struct cr_condition_call {
    const cr_model *model;
    const cr_state *state;
    const void *values; ///< the compiled parameters
    int value_count;    ///< how many: as many as the type's table has rows
} cr_condition_call;

/// A condition serves transitions, goals and rules. In a scene its parameters stand in a list, in
/// the table's order: `near: [robot, ball, 0.5]`. Distributions are not allowed.
typedef struct cr_condition_type {
    const char *name;
    const char *about;
    int param_count;
    const cr_param *params;
    bool (*holds)(const cr_condition_call *call);
    /// True if it asks cr_condition_touched about its bodies; if it has one parameter, a body,
    /// about that and any other but planes.
    bool asks_touch;
    /// True if it looks at nothing but what its parameters name. If these are all things that never
    /// move, the answer never changes: a scene is refused where it never holds, and warned of where
    /// it always does. A thing and itself are refused.
    bool only_params;
    /// Why it never holds with these values, whatever the state, as "no speed is below 0"; NULL if
    /// it may hold. May be NULL itself. A scene is refused where it gives a reason. The call has no
    /// state.
    const char *(*why_never)(const cr_condition_call *call);
} cr_condition_type;

/// A parameter's value in a call, as for Skills.
CR_API double cr_condition_number(const cr_condition_call *call, int param);
CR_API cr_vec3 cr_condition_place(const cr_condition_call *call, int param);
CR_API int cr_condition_body(const cr_condition_call *call, int param);
CR_API int cr_condition_region(const cr_condition_call *call, int param);
CR_API int cr_condition_choice(const cr_condition_call *call, int param);
CR_API int cr_condition_joint(const cr_condition_call *call, int param);

/// True if the two bodies touched during the last step. The condition's type must say asks_touch.
CR_API bool cr_condition_touched(const cr_condition_call *call, int a, int b);

/// Where the thing of a CR_PARAM_THING parameter is: a body's centre of mass or a region's centre.
CR_API cr_vec3 cr_condition_where(const cr_condition_call *call, int param);

/// A quantity is a number that a state has: scores are made of ramps of them. It sees what a
/// condition sees, and asks for its parameters by the same functions. In a scene:
/// `of: {distance: [ball, hole]}`; without parameters the name alone, `of: time`.
typedef struct cr_quantity_type {
    const char *name;
    const char *about;
    const char *unit; ///< "m", "J", ...; "" if it has none
    int param_count;
    const cr_param *params;
    double (*value)(const cr_condition_call *call); ///< finite, whatever the state
    bool asks_touch; ///< true if it asks cr_condition_touched about its bodies
    /// True if it looks at nothing but what its parameters name. If these are all things that never
    /// move, or a thing stands there twice, a scene is refused.
    bool only_params;
    /// Why it never changes with these values, whatever the state, as "no Skill of the body keeps
    /// any"; NULL if it may. May be NULL itself. A scene is refused where it gives a reason. The
    /// call has no state.
    const char *(*why_constant)(const cr_condition_call *call);
} cr_quantity_type;

// ---------------------------------------------------------------------------------------------

/// Which decision to grow from: select.h. Which solution is better: rank.h.
typedef struct cr_select_type cr_select_type;
typedef struct cr_rank_type cr_rank_type;

/// A library with everything built in; NULL when memory runs out.
CR_API cr_library *cr_library_create(void);

/// Free it; NULL is allowed. Models, planners and plans that use it must be gone.
CR_API void cr_library_destroy(cr_library *library);

/// Register one more. The type is not copied and must outlive the library. Fails with CR_ERR_NAME
/// when the name is taken or is no name: a letter and up to 39 letters, digits and _; with
/// CR_ERR_RANGE when it has too many parameters, variables or measures, or when an engine steps
/// less than one world at a time. A function that is missing is a bug.
CR_API cr_status cr_library_add_skill(cr_library *library, const cr_skill_type *type,
                                      cr_report *report);
CR_API cr_status cr_library_add_condition(cr_library *library, const cr_condition_type *type,
                                          cr_report *report);
CR_API cr_status cr_library_add_quantity(cr_library *library, const cr_quantity_type *type,
                                         cr_report *report);
CR_API cr_status cr_library_add_select(cr_library *library, const cr_select_type *type,
                                       cr_report *report);
CR_API cr_status cr_library_add_rank(cr_library *library, const cr_rank_type *type,
                                     cr_report *report);
CR_API cr_status cr_library_add_engine(cr_library *library, const cr_engine_type *type,
                                       cr_report *report);

/// What is in a library, the built-in ones first; library NULL: these alone.
CR_API int cr_library_skill_count(const cr_library *library);
CR_API const cr_skill_type *cr_library_skill(const cr_library *library, int index);
CR_API int cr_library_condition_count(const cr_library *library);
CR_API const cr_condition_type *cr_library_condition(const cr_library *library, int index);
CR_API int cr_library_quantity_count(const cr_library *library);
CR_API const cr_quantity_type *cr_library_quantity(const cr_library *library, int index);
CR_API int cr_library_select_count(const cr_library *library);
CR_API const cr_select_type *cr_library_select(const cr_library *library, int index);
CR_API int cr_library_rank_count(const cr_library *library);
CR_API const cr_rank_type *cr_library_rank(const cr_library *library, int index);
CR_API int cr_library_engine_count(const cr_library *library);
CR_API const cr_engine_type *cr_library_engine(const cr_library *library, int index);

#ifdef __cplusplus
}
#endif

#endif
