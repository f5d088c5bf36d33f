#include "scene/keys.h"

#include <stddef.h>

#define TABLE(name, what)                                                                          \
    const cri_keys cri_keys_##name = {what, sizeof name##_rows / sizeof name##_rows[0], name##_rows}

static const cri_key top_rows[] = {
    [CRI_TOP_NAME] = {"name", "a short name", false},
    [CRI_TOP_ABOUT] = {"about", "a sentence or two for the reader", false},
    [CRI_TOP_PARAMETERS] = {"parameters", "numbers that expressions may name", false},
    [CRI_TOP_GRAVITY] = {"gravity", "m/s2; a number points down", false},
    [CRI_TOP_DT] = {"dt", "s, the length of a step", false},
    [CRI_TOP_SUBSTEPS] = {"substeps", "parts that the engine cuts a step into", false},
    [CRI_TOP_MATERIALS] = {"materials", "what surfaces are like", false},
    [CRI_TOP_PAIRS] = {"pairs", "how two materials meet, where it is not the mean", false},
    [CRI_TOP_BODIES] = {"bodies", "what can move or be bumped into", true},
    [CRI_TOP_JOINTS] = {"joints", "what holds bodies together", false},
    [CRI_TOP_PICTURES] = {"pictures", "what a crowd is to lie as: files or words", false},
    [CRI_TOP_REGIONS] = {"regions", "places with an extent", false},
    [CRI_TOP_START] = {"start", "distributions of other starts", false},
    [CRI_TOP_SAMPLE] = {"sample", "what rrt samples", false},
    [CRI_TOP_TACTICS] = {"tactics", "state machines of Skills, one a body", false},
    [CRI_TOP_GOAL] = {"goal", "the condition to reach", false},
    [CRI_TOP_RULES] = {"rules", "conditions that must never or always hold", false},
    [CRI_TOP_SCORE] = {"score", "how good a state is; larger is better", false},
    [CRI_TOP_PLAN] = {"plan", "settings of the planner", false},
    [CRI_TOP_FAR] = {"far", "pairs that t_lod treats in another way", false},
    [CRI_TOP_DECOR] = {"decor", "how it looks in pictures", false},
    [CRI_TOP_VARIED] = {"varied", "where numbers come from that were varied", false},
};
TABLE(top, "the scene");

static const cri_key varied_rows[] = {
    [CRI_VARIED_SHARE] = {"share", "of the playing area and of sizes, at most", true},
    [CRI_VARIED_SEED] = {"seed", "of the draw", true},
};
TABLE(varied, "varied");

static const cri_key far_rows[] = {
    [CRI_FAR_APART] = {"apart", "pairs of bodies that pass through each other far ahead", false},
    [CRI_FAR_COLLIDE] = {"collide", "pairs that collide there all the same", false},
};
TABLE(far, "far");

static const cri_key material_rows[] = {
    [CRI_MATERIAL_FRICTION] = {"friction", "sliding coefficient", false},
    [CRI_MATERIAL_STATIC_FRICTION] = {"static_friction", "coefficient at rest", false},
    [CRI_MATERIAL_RESTITUTION] = {"restitution", "0 .. 1", false},
    [CRI_MATERIAL_ROLLING] = {"rolling", "resistance to rolling, force over load; balls only",
                              false},
    [CRI_MATERIAL_SPINNING] = {"spinning", "resistance to spin about the normal; balls only",
                               false},
    [CRI_MATERIAL_GRAIN] = {"grain", "a direction with a friction of its own", false},
    [CRI_MATERIAL_DAMPING] = {"damping", "of bodies whose first part has this material", false},
};
TABLE(material, "a material");

static const cri_key grain_rows[] = {
    [CRI_GRAIN_ALONG] = {"along", "a direction in the part's own frame", true},
    [CRI_GRAIN_FRICTION] = {"friction", "sliding coefficient along it", true},
};
TABLE(grain, "a grain");

static const cri_key damping_rows[] = {
    [CRI_DAMPING_LINEAR] = {"linear", "1/s", false},
    [CRI_DAMPING_ANGULAR] = {"angular", "1/s", false},
};
TABLE(damping, "a damping");

static const cri_key pair_rows[] = {
    [CRI_PAIR_BETWEEN] = {"between", "two materials", true},
    [CRI_PAIR_FRICTION] = {"friction", "sliding coefficient", false},
    [CRI_PAIR_STATIC_FRICTION] = {"static_friction", "coefficient at rest", false},
    [CRI_PAIR_RESTITUTION] = {"restitution", "0 .. 1", false},
    [CRI_PAIR_ROLLING] = {"rolling", "resistance to rolling, force over load; balls only", false},
    [CRI_PAIR_SPINNING] = {"spinning", "resistance to spin about the normal; balls only", false},
    [CRI_PAIR_GRAIN] = {"grain_friction", "sliding coefficient along the grain", false},
};
TABLE(pair, "a pair");

static const cri_key body_rows[] = {
    [CRI_BODY_KIND] = {"kind", "static|passive|controlled|foreign", true},
    [CRI_BODY_MOTION] = {"motion", "driven|pushed; foreign bodies only", false},
    [CRI_BODY_SHAPE] = {"shape", "of a body with one part", false},
    [CRI_BODY_PARTS] = {"parts", "of a body with several parts", false},
    [CRI_BODY_MASS] = {"mass", "kg", false},
    [CRI_BODY_MATERIAL] = {"material", "of the parts that name none", false},
    [CRI_BODY_CENTER] = {"center", "m, centre of mass", false},
    [CRI_BODY_AT] = {"at", "m; two numbers: rests on the ground", false},
    [CRI_BODY_MEMBERS] = {"count", "so many like this one: a crowd", false},
    [CRI_BODY_GRID] = {"grid", "a crowd in rows, columns and layers: how many of each", false},
    [CRI_BODY_PITCH] = {"pitch", "m, from one of a crowd to the next", false},
    [CRI_BODY_BEND] = {"bend", "rad, that each of a row is turned from the one before", false},
    [CRI_BODY_HEADING] = {"heading", "rad, turn about z", false},
    [CRI_BODY_ROTATION] = {"rotation", "quaternion x, y, z, w", false},
    [CRI_BODY_VELOCITY] = {"velocity", "m/s", false},
    [CRI_BODY_SPIN] = {"spin", "rad/s", false},
    [CRI_BODY_UPRIGHT] = {"upright", "true: moves in x, y and heading only", false},
    [CRI_BODY_FLOOR_FRICTION] = {"floor_friction", "of an upright body on its floor", false},
    [CRI_BODY_DAMPING] = {"damping", "instead of the material's", false},
    [CRI_BODY_LIMITS] = {"limits", "how fast it drives and turns by itself", false},
    [CRI_BODY_IGNORE] = {"ignore", "bodies that it passes through", false},
    [CRI_BODY_COLOR] = {"color", "for pictures", false},
};
TABLE(body, "a body");

static const cri_key part_rows[] = {
    [CRI_PART_NAME] = {"name", "for messages and pictures", false},
    [CRI_PART_SHAPE] = {"shape", "its shape", true},
    [CRI_PART_AT] = {"at", "m, in the body's frame", false},
    [CRI_PART_HEADING] = {"heading", "rad, turn about the body's z", false},
    [CRI_PART_ROTATION] = {"rotation", "quaternion x, y, z, w", false},
    [CRI_PART_MATERIAL] = {"material", "default: the body's", false},
};
TABLE(part, "a part");

static const cri_key shape_rows[] = {
    [CRI_SHAPE_KEY_PLANE] = {"plane", "normal; static bodies only", false},
    [CRI_SHAPE_KEY_SPHERE] = {"sphere", "radius, m", false},
    [CRI_SHAPE_KEY_BOX] = {"box", "size along x, y, z, m", false},
    [CRI_SHAPE_KEY_CYLINDER] = {"cylinder", "radius and height, along z", false},
    [CRI_SHAPE_KEY_PRISM] = {"prism", "a convex outline in x, y with a height", false},
    [CRI_SHAPE_KEY_CAPSULE] = {"capsule", "a cylinder with round ends, along z", false},
    [CRI_SHAPE_KEY_HULL] = {"hull", "the convex hull of points, or of a file's", false},
};
TABLE(shape, "a shape");

static const cri_key capsule_rows[] = {
    [CRI_CAPSULE_RADIUS] = {"radius", "m", true},
    [CRI_CAPSULE_LENGTH] = {"length", "m, without the round ends", true},
};
TABLE(capsule, "a capsule");

static const cri_key hull_rows[] = {
    [CRI_HULL_POINTS] = {"points", "m, a list of x, y, z", false},
    [CRI_HULL_FILE] = {"file", "an .obj or .stl file", false},
    [CRI_HULL_SCALE] = {"scale", "of points or file", false},
};
TABLE(hull, "a hull");

static const cri_key cylinder_rows[] = {
    [CRI_CYLINDER_RADIUS] = {"radius", "m", true},
    [CRI_CYLINDER_HEIGHT] = {"height", "m", true},
};
TABLE(cylinder, "a cylinder");

static const cri_key prism_rows[] = {
    [CRI_PRISM_POINTS] = {"points", "corners, m", false},
    [CRI_PRISM_RADIUS] = {"radius", "m; instead of points: a round one", false},
    [CRI_PRISM_FRONT] = {"front", "m; where a round one is cut off, along x", false},
    [CRI_PRISM_HEIGHT] = {"height", "m", true},
    [CRI_PRISM_SIDES] = {"sides", "of a round one", false},
};
TABLE(prism, "a prism");

static const cri_key limits_rows[] = {
    [CRI_LIMIT_SPEED] = {"speed", "m/s", false},
    [CRI_LIMIT_ACCELERATION] = {"acceleration", "m/s2", false},
    [CRI_LIMIT_TURN_SPEED] = {"turn_speed", "rad/s", false},
    [CRI_LIMIT_TURN_ACCELERATION] = {"turn_acceleration", "rad/s2", false},
};
TABLE(limits, "the limits");

static const cri_key joint_rows[] = {
    [CRI_JOINT_KEY_HINGE] = {"hinge", "[a, b]: b turns about one axis of a", false},
    [CRI_JOINT_KEY_SLIDER] = {"slider", "[a, b]: b slides along one axis of a", false},
    [CRI_JOINT_KEY_BALL] = {"ball", "[a, b]: b turns any way about one point of a", false},
    [CRI_JOINT_KEY_WELD] = {"weld", "[a, b]: b stays as it is to a", false},
    [CRI_JOINT_KEY_ROPE] = {"rope", "[a, b]: two points stay within a length", false},
    [CRI_JOINT_KEY_AT] = {"at", "m, in the world at the start", false},
    [CRI_JOINT_KEY_AXIS] = {"axis", "a direction in the world at the start", false},
    [CRI_JOINT_KEY_FROM] = {"from", "m: where a rope is tied to a", false},
    [CRI_JOINT_KEY_TO] = {"to", "m: where a rope is tied to b", false},
    [CRI_JOINT_KEY_LENGTH] = {"length", "m, of a rope", false},
    [CRI_JOINT_KEY_LIMITS] = {"limits", "[low, high]: rad or m from the start", false},
    [CRI_JOINT_KEY_FRICTION] = {"friction", "N m (hinge, ball) or N (slider)", false},
    [CRI_JOINT_KEY_MOTOR] = {"motor", "a speed, and the torque or force it has", false},
    [CRI_JOINT_KEY_BREAKS] = {"breaks", "N, or {force, torque}, that it holds", false},
    [CRI_JOINT_KEY_COLLIDE] = {"collide", "true: the two bump into each other", false},
};
TABLE(joint, "a joint");

static const cri_key motor_rows[] = {
    [CRI_MOTOR_SPEED] = {"speed", "rad/s (hinge) or m/s (slider), of b seen from a", true},
    [CRI_MOTOR_TORQUE] = {"torque", "N m, of a hinge's", false},
    [CRI_MOTOR_FORCE] = {"force", "N, of a slider's", false},
};
TABLE(motor, "a motor");

static const cri_key break_rows[] = {
    [CRI_BREAK_FORCE] = {"force", "N that it holds", false},
    [CRI_BREAK_TORQUE] = {"torque", "N m beside its axis that it holds", false},
};
TABLE(break, "breaks");

static const cri_key region_rows[] = {
    [CRI_REGION_BOX] = {"box", "size along x, y and, if limited, z, m", false},
    [CRI_REGION_CYLINDER] = {"cylinder", "radius and, if limited, height", false},
    [CRI_REGION_SPHERE] = {"sphere", "radius, m", false},
    [CRI_REGION_AT] = {"at", "m; two numbers: rests on the ground", false},
    [CRI_REGION_HEADING] = {"heading", "rad, turn about z", false},
    [CRI_REGION_PICTURE] = {"picture", "a region for each cell of a picture", false},
    [CRI_REGION_FOR] = {"for", "the crowd whose members have one each", false},
    [CRI_REGION_PITCH] = {"pitch", "m, from one cell to the next", false},
};
TABLE(region, "a region");

static const cri_key region_cylinder_rows[] = {
    [CRI_CYLINDER_RADIUS] = {"radius", "m", true},
    [CRI_CYLINDER_HEIGHT] = {"height", "m; without it there is no limit", false},
};
TABLE(region_cylinder, "a cylinder");

static const cri_key start_rows[] = {
    [CRI_START_AT] = {"at", "a place", false},
    [CRI_START_HEADING] = {"heading", "rad", false},
    [CRI_START_ROTATION] = {"rotation", "any: every way up alike", false},
    [CRI_START_VELOCITY] = {"velocity", "m/s", false},
    [CRI_START_SPIN] = {"spin", "rad/s", false},
};
TABLE(start, "a start");

static const cri_key sample_rows[] = {
    [CRI_SAMPLE_BODY] = {"body", "whose arrival is measured", false},
    [CRI_SAMPLE_REGION] = {"region", "where samples are drawn", true},
    [CRI_SAMPLE_GOAL] = {"goal", "a region that is sampled more often", false},
    [CRI_SAMPLE_GOAL_SHARE] = {"goal_share", "share of the samples in the goal region", false},
    [CRI_SAMPLE_HEADING] = {"heading", "rad, of the sample", false},
    [CRI_SAMPLE_METRIC] = {"metric", "time, or distance", false},
    [CRI_SAMPLE_DECELERATION] = {"deceleration", "m/s2, of the time metric", false},
    [CRI_SAMPLE_VELOCITY] = {"velocity", "m/s, wanted at the sample", false},
};
TABLE(sample, "the sample");

static const cri_key draw_rows[] = {
    [CRI_DRAW_UNIFORM] = {"uniform", "[low, high]", false},
    [CRI_DRAW_NORMAL] = {"normal", "[mean, deviation]", false},
    [CRI_DRAW_CHOOSE] = {"choose", "a list of numbers, all alike", false},
};
TABLE(draw, "a distribution");

static const cri_key place_rows[] = {
    [CRI_PLACE_KEY_BODY] = {"body", "where a body is, followed as it moves", false},
    [CRI_PLACE_KEY_OFFSET] = {"offset", "m, added to that place", false},
    [CRI_PLACE_KEY_CENTER] = {"center", "the centre of a region", false},
    [CRI_PLACE_KEY_REGION] = {"region", "drawn in a region", false},
    [CRI_PLACE_KEY_AROUND] = {"around", "drawn around a body", false},
    [CRI_PLACE_KEY_DISTANCE] = {"distance", "m, from that body", false},
    [CRI_PLACE_KEY_ANGLE] = {"angle", "rad, from the x axis; default: all round", false},
    [CRI_PLACE_KEY_GHOST] = {"ghost", "a ball to meet, so that it goes somewhere", false},
    [CRI_PLACE_KEY_TOWARD] = {"toward", "the place where the ball met is to go", false},
    [CRI_PLACE_KEY_MIRROR] = {"mirror", "a place, seen in a wall", false},
    [CRI_PLACE_KEY_IN] = {"in", "the wall: a static box", false},
    [CRI_PLACE_KEY_WITH] = {"with", "the ball that goes there", false},
    [CRI_PLACE_KEY_SPREAD] = {"spread", "m, drawn in a disc of that radius; default 0", false},
};
TABLE(place, "a place");

static const cri_key tactic_rows[] = {
    [CRI_TACTIC_CONTROLS] = {"controls", "a body", true},
    [CRI_TACTIC_START] = {"start", "the first Skill; default: the first in the list", false},
    [CRI_TACTIC_SKILLS] = {"skills", "its Skills by name", true},
    [CRI_TACTIC_NEXT] = {"next", "which Skill may follow which", false},
    [CRI_TACTIC_REST] = {"rest", "share or stay: what a sum of weights below 1 leaves", false},
};
TABLE(tactic, "a Tactic");

static const cri_key next_rows[] = {
    [CRI_NEXT_WHEN] = {"when", "only if this condition holds", false},
    [CRI_NEXT_WEIGHT] = {"weight", "relative probability: a number or a score; default 1", false},
};
TABLE(next, "a transition");

static const cri_key rule_rows[] = {
    [CRI_RULE_NEVER] = {"never", "a condition that must not hold at any step", false},
    [CRI_RULE_ALWAYS] = {"always", "a condition that must hold at every step", false},
};
TABLE(rule, "a rule");

static const cri_key logic_rows[] = {
    [CRI_LOGIC_ALL] = {"all", "a list of conditions, all of them", false},
    [CRI_LOGIC_ANY] = {"any", "a list of conditions, one at least", false},
    [CRI_LOGIC_NOT] = {"not", "a condition that does not hold", false},
    [CRI_LOGIC_SKILL] = {"skill", "[tactic, skill]: the Tactic is in that Skill", false},
    [CRI_LOGIC_NUMBER] = {"count", "how many of some conditions hold", false},
    [CRI_LOGIC_ONCE] = {"once", "[condition, tactic]: it has held (since the Skill began)", false},
    [CRI_LOGIC_STAYS] = {"stays", "[condition, seconds]: it has held for so long", false},
    [CRI_LOGIC_TIMES] = {"times", "[condition, n, tactic]: it has begun to hold n times", false},
};
TABLE(logic, "a condition");

static const cri_key number_rows[] = {
    [CRI_NUMBER_OF] = {"of", "a list of conditions, or one of each member of a crowd", true},
    [CRI_NUMBER_LEAST] = {"least", "that many hold at least; default 0", false},
    [CRI_NUMBER_MOST] = {"most", "that many hold at most; default: all", false},
};
TABLE(number, "a count");

static const cri_key each_rows[] = {
    [CRI_EACH_EACH] = {"each", "a crowd", true},
    [CRI_EACH_IS] = {"is", "what is said of each: its name stands for the member", true},
};
TABLE(each, "what is said of each");

static const cri_key controls_rows[] = {
    [CRI_CONTROLS_EACH] = {"each", "a crowd: every member gets a Tactic of its own", true},
};
TABLE(controls, "controls");

static const cri_key score_rows[] = {
    [CRI_SCORE_KEY_RAMP] = {"ramp", "0 to 1 as a quantity goes from one value to another", false},
    [CRI_SCORE_KEY_SQUARE] = {"square", "the square of a quantity", false},
    [CRI_SCORE_KEY_ADD] = {"add", "the sum of a list of scores", false},
    [CRI_SCORE_KEY_MULTIPLY] = {"multiply", "the product of a list of scores", false},
    [CRI_SCORE_KEY_WHEN] = {"when", "1 if a condition holds, else 0", false},
};
TABLE(score, "a score");

static const cri_key ramp_rows[] = {
    [CRI_RAMP_OF] = {"of", "a quantity", true},
    [CRI_RAMP_FROM] = {"from", "where the score is 0", true},
    [CRI_RAMP_TO] = {"to", "where the score is 1", true},
};
TABLE(ramp, "a ramp");

static const cri_key decor_rows[] = {
    [CRI_DECOR_BODIES] = {"bodies", "how bodies look", false},
    [CRI_DECOR_MARKS] = {"marks", "what is painted or put up", false},
};
TABLE(decor, "the decor");

static const cri_key dress_rows[] = {
    [CRI_DRESS_FINISH] = {"finish", "what its surface looks like", true},
    [CRI_DRESS_NUMBER] = {"number", "written on a ball", false},
};
TABLE(dress, "a body's looks");

static const cri_key mark_rows[] = {
    [CRI_MARK_LINE] = {"line", "points, m", false},
    [CRI_MARK_BOX] = {"box", "the outline of a rectangle: size along x, y, m", false},
    [CRI_MARK_CIRCLE] = {"circle", "the outline of a circle: radius, m", false},
    [CRI_MARK_DISC] = {"disc", "a filled circle: radius, m", false},
    [CRI_MARK_PATCH] = {"patch", "a filled rectangle: size along x, y, m", false},
    [CRI_MARK_BLOCK] = {"block", "a box: size along x, y, z, m", false},
    [CRI_MARK_POST] = {"post", "an upright cylinder: radius and height, m", false},
    [CRI_MARK_AT] = {"at", "a place, or a list of places, m", false},
    [CRI_MARK_HEADING] = {"heading", "rad, turn about z", false},
    [CRI_MARK_ON] = {"on", "a body that it moves with", false},
    [CRI_MARK_WIDTH] = {"width", "m, of lines and outlines", false},
    [CRI_MARK_ARC] = {"arc", "[from, to] of a circle, rad", false},
    [CRI_MARK_CLOSED] = {"closed", "true: a line goes back to its first point", false},
    [CRI_MARK_COLOR] = {"color", "default white", false},
    [CRI_MARK_FINISH] = {"finish", "what its surface looks like", false},
};
TABLE(mark, "a mark");

const cri_keys *const cri_key_tables[] = {
    &cri_keys_top,
    &cri_keys_varied,
    &cri_keys_material,
    &cri_keys_damping,
    &cri_keys_grain,
    &cri_keys_pair,
    &cri_keys_body,
    &cri_keys_part,
    &cri_keys_shape,
    &cri_keys_cylinder,
    &cri_keys_prism,
    &cri_keys_capsule,
    &cri_keys_hull,
    &cri_keys_limits,
    &cri_keys_joint,
    &cri_keys_motor,
    &cri_keys_break,
    &cri_keys_region,
    &cri_keys_region_cylinder,
    &cri_keys_start,
    &cri_keys_sample,
    &cri_keys_draw,
    &cri_keys_place,
    &cri_keys_tactic,
    &cri_keys_next,
    &cri_keys_rule,
    &cri_keys_logic,
    &cri_keys_number,
    &cri_keys_each,
    &cri_keys_controls,
    &cri_keys_score,
    &cri_keys_ramp,
    &cri_keys_decor,
    &cri_keys_dress,
    &cri_keys_mark,
    NULL,
};
