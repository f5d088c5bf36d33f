// Every key of a scene file, in tables: what is allowed where, what must be there, and what it
// says. The reader checks against them and docs/scene-format.md is tested against them.
#ifndef CRI_KEYS_H
#define CRI_KEYS_H

#include <stdbool.h>

typedef struct cri_key {
    const char *name;
    const char *about;
    bool required;
} cri_key;

// The keys of one sort of mapping.
typedef struct cri_keys {
    const char *what; // as in "a body"
    int count;
    const cri_key *rows;
} cri_keys;

enum { CRI_KEYS_MAX = 24 };

enum {
    CRI_TOP_NAME,
    CRI_TOP_ABOUT,
    CRI_TOP_PARAMETERS,
    CRI_TOP_GRAVITY,
    CRI_TOP_DT,
    CRI_TOP_SUBSTEPS,
    CRI_TOP_MATERIALS,
    CRI_TOP_PAIRS,
    CRI_TOP_BODIES,
    CRI_TOP_JOINTS,
    CRI_TOP_PICTURES,
    CRI_TOP_REGIONS,
    CRI_TOP_START,
    CRI_TOP_SAMPLE,
    CRI_TOP_TACTICS,
    CRI_TOP_GOAL,
    CRI_TOP_RULES,
    CRI_TOP_SCORE,
    CRI_TOP_PLAN,
    CRI_TOP_FAR,
    CRI_TOP_DECOR,
    CRI_TOP_VARIED,
    CRI_TOP_COUNT
};
extern const cri_keys cri_keys_top;

enum { CRI_VARIED_SHARE, CRI_VARIED_SEED, CRI_VARIED_COUNT };
extern const cri_keys cri_keys_varied;

enum { CRI_FAR_APART, CRI_FAR_COLLIDE, CRI_FAR_COUNT };
extern const cri_keys cri_keys_far;

enum {
    CRI_MATERIAL_FRICTION,
    CRI_MATERIAL_STATIC_FRICTION,
    CRI_MATERIAL_RESTITUTION,
    CRI_MATERIAL_ROLLING,
    CRI_MATERIAL_SPINNING,
    CRI_MATERIAL_GRAIN,
    CRI_MATERIAL_DAMPING,
    CRI_MATERIAL_COUNT
};
extern const cri_keys cri_keys_material;

enum { CRI_GRAIN_ALONG, CRI_GRAIN_FRICTION, CRI_GRAIN_COUNT };
extern const cri_keys cri_keys_grain;

enum { CRI_DAMPING_LINEAR, CRI_DAMPING_ANGULAR, CRI_DAMPING_COUNT };
extern const cri_keys cri_keys_damping;

enum {
    CRI_PAIR_BETWEEN,
    CRI_PAIR_FRICTION,
    CRI_PAIR_STATIC_FRICTION,
    CRI_PAIR_RESTITUTION,
    CRI_PAIR_ROLLING,
    CRI_PAIR_SPINNING,
    CRI_PAIR_GRAIN,
    CRI_PAIR_COUNT
};
extern const cri_keys cri_keys_pair;

enum {
    CRI_BODY_KIND,
    CRI_BODY_MOTION,
    CRI_BODY_SHAPE,
    CRI_BODY_PARTS,
    CRI_BODY_MASS,
    CRI_BODY_MATERIAL,
    CRI_BODY_CENTER,
    CRI_BODY_AT,
    CRI_BODY_MEMBERS,
    CRI_BODY_GRID,
    CRI_BODY_PITCH,
    CRI_BODY_BEND,
    CRI_BODY_HEADING,
    CRI_BODY_ROTATION,
    CRI_BODY_VELOCITY,
    CRI_BODY_SPIN,
    CRI_BODY_UPRIGHT,
    CRI_BODY_FLOOR_FRICTION,
    CRI_BODY_DAMPING,
    CRI_BODY_LIMITS,
    CRI_BODY_IGNORE,
    CRI_BODY_COLOR,
    CRI_BODY_COUNT
};
extern const cri_keys cri_keys_body;

enum {
    CRI_PART_NAME,
    CRI_PART_SHAPE,
    CRI_PART_AT,
    CRI_PART_HEADING,
    CRI_PART_ROTATION,
    CRI_PART_MATERIAL,
    CRI_PART_COUNT
};
extern const cri_keys cri_keys_part;

// In the order of cr_shape_kind.
enum {
    CRI_SHAPE_KEY_PLANE,
    CRI_SHAPE_KEY_SPHERE,
    CRI_SHAPE_KEY_BOX,
    CRI_SHAPE_KEY_CYLINDER,
    CRI_SHAPE_KEY_PRISM,
    CRI_SHAPE_KEY_CAPSULE,
    CRI_SHAPE_KEY_HULL,
    CRI_SHAPE_KEY_COUNT
};
extern const cri_keys cri_keys_shape;

enum { CRI_CYLINDER_RADIUS, CRI_CYLINDER_HEIGHT, CRI_CYLINDER_COUNT };
extern const cri_keys cri_keys_cylinder;

enum {
    CRI_PRISM_POINTS,
    CRI_PRISM_RADIUS,
    CRI_PRISM_FRONT,
    CRI_PRISM_HEIGHT,
    CRI_PRISM_SIDES,
    CRI_PRISM_COUNT
};
extern const cri_keys cri_keys_prism;

enum { CRI_CAPSULE_RADIUS, CRI_CAPSULE_LENGTH, CRI_CAPSULE_COUNT };
extern const cri_keys cri_keys_capsule;

enum { CRI_HULL_POINTS, CRI_HULL_FILE, CRI_HULL_SCALE, CRI_HULL_COUNT };
extern const cri_keys cri_keys_hull;

enum {
    CRI_LIMIT_SPEED,
    CRI_LIMIT_ACCELERATION,
    CRI_LIMIT_TURN_SPEED,
    CRI_LIMIT_TURN_ACCELERATION,
    CRI_LIMIT_COUNT
};
extern const cri_keys cri_keys_limits;

// The kinds first, in the order of cr_joint_kind.
enum {
    CRI_JOINT_KEY_HINGE,
    CRI_JOINT_KEY_SLIDER,
    CRI_JOINT_KEY_BALL,
    CRI_JOINT_KEY_WELD,
    CRI_JOINT_KEY_ROPE,
    CRI_JOINT_KEY_AT,
    CRI_JOINT_KEY_AXIS,
    CRI_JOINT_KEY_FROM,
    CRI_JOINT_KEY_TO,
    CRI_JOINT_KEY_LENGTH,
    CRI_JOINT_KEY_LIMITS,
    CRI_JOINT_KEY_FRICTION,
    CRI_JOINT_KEY_MOTOR,
    CRI_JOINT_KEY_BREAKS,
    CRI_JOINT_KEY_COLLIDE,
    CRI_JOINT_KEY_COUNT
};
extern const cri_keys cri_keys_joint;

enum { CRI_MOTOR_SPEED, CRI_MOTOR_TORQUE, CRI_MOTOR_FORCE, CRI_MOTOR_COUNT };
extern const cri_keys cri_keys_motor;

enum { CRI_BREAK_FORCE, CRI_BREAK_TORQUE, CRI_BREAK_COUNT };
extern const cri_keys cri_keys_break;

enum {
    CRI_REGION_BOX,
    CRI_REGION_CYLINDER,
    CRI_REGION_SPHERE,
    CRI_REGION_AT,
    CRI_REGION_HEADING,
    CRI_REGION_PICTURE,
    CRI_REGION_FOR,
    CRI_REGION_PITCH,
    CRI_REGION_COUNT
};
extern const cri_keys cri_keys_region;
extern const cri_keys cri_keys_region_cylinder;

enum {
    CRI_START_AT,
    CRI_START_HEADING,
    CRI_START_ROTATION,
    CRI_START_VELOCITY,
    CRI_START_SPIN,
    CRI_START_COUNT
};
extern const cri_keys cri_keys_start;

enum {
    CRI_SAMPLE_BODY,
    CRI_SAMPLE_REGION,
    CRI_SAMPLE_GOAL,
    CRI_SAMPLE_GOAL_SHARE,
    CRI_SAMPLE_HEADING,
    CRI_SAMPLE_METRIC,
    CRI_SAMPLE_DECELERATION,
    CRI_SAMPLE_VELOCITY,
    CRI_SAMPLE_COUNT
};
extern const cri_keys cri_keys_sample;

enum { CRI_DRAW_UNIFORM, CRI_DRAW_NORMAL, CRI_DRAW_CHOOSE, CRI_DRAW_COUNT };
extern const cri_keys cri_keys_draw;

enum {
    CRI_PLACE_KEY_BODY,
    CRI_PLACE_KEY_OFFSET,
    CRI_PLACE_KEY_CENTER,
    CRI_PLACE_KEY_REGION,
    CRI_PLACE_KEY_AROUND,
    CRI_PLACE_KEY_DISTANCE,
    CRI_PLACE_KEY_ANGLE,
    CRI_PLACE_KEY_GHOST,
    CRI_PLACE_KEY_TOWARD,
    CRI_PLACE_KEY_MIRROR,
    CRI_PLACE_KEY_IN,
    CRI_PLACE_KEY_WITH,
    CRI_PLACE_KEY_SPREAD,
    CRI_PLACE_KEY_COUNT
};
extern const cri_keys cri_keys_place;

enum {
    CRI_TACTIC_CONTROLS,
    CRI_TACTIC_START,
    CRI_TACTIC_SKILLS,
    CRI_TACTIC_NEXT,
    CRI_TACTIC_REST,
    CRI_TACTIC_COUNT
};
extern const cri_keys cri_keys_tactic;

enum { CRI_NEXT_WHEN, CRI_NEXT_WEIGHT, CRI_NEXT_COUNT };
extern const cri_keys cri_keys_next;

enum { CRI_RULE_NEVER, CRI_RULE_ALWAYS, CRI_RULE_COUNT };
extern const cri_keys cri_keys_rule;

// In the order of cri_condition_op.
enum {
    CRI_LOGIC_ALL,
    CRI_LOGIC_ANY,
    CRI_LOGIC_NOT,
    CRI_LOGIC_SKILL,
    CRI_LOGIC_NUMBER,
    CRI_LOGIC_ONCE,
    CRI_LOGIC_STAYS,
    CRI_LOGIC_TIMES,
    CRI_LOGIC_COUNT
};
extern const cri_keys cri_keys_logic;

enum { CRI_NUMBER_OF, CRI_NUMBER_LEAST, CRI_NUMBER_MOST, CRI_NUMBER_COUNT };
extern const cri_keys cri_keys_number;

// What is said of each member of a crowd.
enum { CRI_EACH_EACH, CRI_EACH_IS, CRI_EACH_COUNT };
extern const cri_keys cri_keys_each;

enum { CRI_CONTROLS_EACH, CRI_CONTROLS_COUNT };
extern const cri_keys cri_keys_controls;

enum {
    CRI_SCORE_KEY_RAMP,
    CRI_SCORE_KEY_SQUARE,
    CRI_SCORE_KEY_ADD,
    CRI_SCORE_KEY_MULTIPLY,
    CRI_SCORE_KEY_WHEN,
    CRI_SCORE_KEY_COUNT
};
extern const cri_keys cri_keys_score;

enum { CRI_RAMP_OF, CRI_RAMP_FROM, CRI_RAMP_TO, CRI_RAMP_COUNT };
extern const cri_keys cri_keys_ramp;

enum { CRI_DECOR_BODIES, CRI_DECOR_MARKS, CRI_DECOR_COUNT };
extern const cri_keys cri_keys_decor;

enum { CRI_DRESS_FINISH, CRI_DRESS_NUMBER, CRI_DRESS_COUNT };
extern const cri_keys cri_keys_dress;

// The kinds first, in the order of cr_mark_kind.
enum {
    CRI_MARK_LINE,
    CRI_MARK_BOX,
    CRI_MARK_CIRCLE,
    CRI_MARK_DISC,
    CRI_MARK_PATCH,
    CRI_MARK_BLOCK,
    CRI_MARK_POST,
    CRI_MARK_AT,
    CRI_MARK_HEADING,
    CRI_MARK_ON,
    CRI_MARK_WIDTH,
    CRI_MARK_ARC,
    CRI_MARK_CLOSED,
    CRI_MARK_COLOR,
    CRI_MARK_FINISH,
    CRI_MARK_COUNT
};
extern const cri_keys cri_keys_mark;

// All of the above, NULL at the end.
extern const cri_keys *const cri_key_tables[];

#endif
