#include "generate.h"

#include <math.h>
#include <stdio.h>

#include "scene/numbers.h"

typedef struct maker {
    cri_text *text;
    cr_rng rng;
    uint64_t set; // of numbers
    cr_rng set_rng;
    double x, y; // the middle of the scene
    bool slab;   // a box is the floor
    bool calm;   // its free bodies can stand still
    bool small;  // few bodies of one part: they fill what there is room for
    int balls, robots, bars, free;
} maker;

static double between(maker *m, double low, double high)
{
    return cr_rng_uniform(&m->rng, low, high);
}

static int pick(maker *m, int count)
{
    return (int)cr_rng_index(&m->rng, (uint64_t)count);
}

static bool once_in(maker *m, int count)
{
    return pick(m, count) == 0;
}

// The number of the scene's set that stands for x in set 0: more or less of it, or at times none.
static double other(maker *m, double x)
{
    return m->set > 0 ? x * cr_rng_uniform(&m->set_rng, 0.3, 3) : x;
}

static double other_or_none(maker *m, double x)
{
    bool none = m->set > 0 && cr_rng_index(&m->set_rng, 4) == 0;
    return none ? 0 : other(m, x);
}

// Rarely so much that a world is not for lanes.
static double other_damping(maker *m, double x)
{
    bool much = m->set > 0 && cr_rng_index(&m->set_rng, 40) == 0;
    return much ? 60 : other_or_none(m, x);
}

// ---------------------------------------------------------------------------------------------
// Shapes and materials.

static void add_materials(maker *m)
{
    cri_text_add(m->text, "materials:\n");
    for (int i = 0; i < 3; i++) {
        cri_text_add(m->text, "  m%d: {friction: %.3f, static_friction: %.3f, restitution: %.3f", i,
                     other_or_none(m, between(m, 0, 0.8)), other(m, between(m, 0, 0.9)),
                     fmin(other_or_none(m, once_in(m, 4) ? 0 : between(m, 0, 1)), 1));
        if (i == 1) {
            cri_text_add(m->text, ", grain: {along: [%.2f, %.2f, %.2f], friction: %.2f}",
                         between(m, 0.1, 1), between(m, -1, 1), between(m, -1, 1),
                         other(m, between(m, 0, 0.6)));
        }
        if (i == 2) {
            cri_text_add(m->text, ", rolling: %.4f, spinning: %.4f",
                         other_or_none(m, between(m, 0, 0.03)),
                         other_or_none(m, between(m, 0, 0.05)));
        }
        cri_text_add(m->text, ", damping: {linear: %.2f, angular: %.2f}}\n",
                     other_damping(m, between(m, 0, 0.5)),
                     other_damping(m, once_in(m, 2) ? 0 : between(m, 0, 0.5)));
    }
    if (once_in(m, 3)) {
        cri_text_add(m->text, "pairs: [{between: [m0, m%d], friction: %.3f, restitution: %.3f}]\n",
                     pick(m, 3), other_or_none(m, between(m, 0, 0.8)),
                     fmin(other_or_none(m, between(m, 0, 1)), 1));
    }
}

// A grain on a ball sends the whole model to doubles: rare.
static int pick_material(maker *m, bool ball)
{
    return ball && !once_in(m, 60) ? 2 * pick(m, 2) : pick(m, 3);
}

// Any points, or those of a grid, which lie in planes.
static void add_hull(maker *m)
{
    int count = 6 + pick(m, 12);
    bool grid = once_in(m, 2);
    cri_text_add(m->text, "{hull: {points: [[-0.1, -0.1, -0.1], [0.1, -0.1, -0.1], "
                          "[0, 0.1, -0.1], [0, 0, 0.1]");
    for (int i = 0; i < count; i++) {
        double x = between(m, -2, 2), y = between(m, -2, 2), z = between(m, -2, 2);
        cri_text_add(m->text, ", [%.3f, %.3f, %.3f]", 0.1 * (grid ? round(x) : x),
                     0.1 * (grid ? round(y) : y), 0.1 * (grid ? round(z) : z));
    }
    cri_text_add(m->text, "]}}");
}

static void add_shape(maker *m)
{
    double height = between(m, 0.05, 0.35);
    switch (pick(m, 9)) {
    case 0:
        cri_text_add(m->text, "{sphere: %.3f}", between(m, 0.03, 0.2));
        break;
    case 1:
        cri_text_add(m->text, "{cylinder: {radius: %.3f, height: %.3f}}", between(m, 0.03, 0.25),
                     height);
        break;
    case 2:
        cri_text_add(m->text, "{prism: {radius: 0.09, front: 0.07, height: 0.15}}");
        break;
    case 3:
        cri_text_add(m->text, "{prism: {radius: %.3f, sides: %d, height: %.3f}}",
                     between(m, 0.05, 0.3), 3 + pick(m, 28), height);
        break;
    case 4:
        cri_text_add(m->text,
                     "{prism: {points: [[-0.2, -0.15], [%.3f, -0.1], [-0.1, %.3f]], "
                     "height: %.3f}}",
                     between(m, 0.05, 0.3), between(m, 0.05, 0.3), height);
        break;
    case 5:
        cri_text_add(m->text, "{box: [%.3f, 0.04, 0.2]}", between(m, 0.2, 1));
        break;
    case 6:
        cri_text_add(m->text, "{capsule: {radius: %.3f, length: %.3f}}", between(m, 0.02, 0.12),
                     height);
        break;
    case 7:
        add_hull(m);
        break;
    default:
        cri_text_add(m->text, "{box: [%.3f, %.3f, %.3f]}", between(m, 0.05, 0.6),
                     between(m, 0.05, 0.6), height);
        break;
    }
}

// `shape` or `parts`, and what they are made of. tilts: parts may lie at a slant.
static void add_body_shape(maker *m, bool tilts)
{
    cri_text_add(m->text, ", material: m%d", pick_material(m, false));
    if (m->small || !once_in(m, 4)) {
        cri_text_add(m->text, ", shape: ");
        add_shape(m);
        return;
    }
    cri_text_add(m->text, ", parts: [");
    int count = 2 + pick(m, 3);
    for (int i = 0; i < count; i++) {
        cri_text_add(m->text, "%s{shape: ", i ? ", " : "");
        add_shape(m);
        cri_text_add(m->text, ", at: [%.3f, %.3f, %.3f], material: m%d", between(m, -0.15, 0.15),
                     between(m, -0.15, 0.15), between(m, -0.05, 0.05), pick_material(m, false));
        if (tilts && once_in(m, 4)) {
            cri_text_add(m->text, ", rotation: [%.3f, %.3f, 0.1, 1]}", between(m, -0.3, 0.3),
                         between(m, -0.3, 0.3));
        } else {
            cri_text_add(m->text, ", heading: %.3f}", between(m, -3, 3));
        }
    }
    cri_text_add(m->text, "]");
}

// ---------------------------------------------------------------------------------------------
// Bodies. Those that move stand apart from each other in a row beside the middle.

static void add_floor(maker *m)
{
    if (m->slab) { // as wide as all, or so that some stand on it and some beside it
        double side = once_in(m, 3) ? 20 : between(m, 0.4, 1.6);
        cri_text_add(m->text,
                     "  floor: {kind: static, shape: {box: [%.3f, %.3f, 0.1]}, material: m0, at: "
                     "[%.3f, %.3f, -0.05]}\n",
                     side, side, m->x, m->y);
    } else {
        cri_text_add(m->text,
                     "  floor: {kind: static, shape: {plane: [%s, 0, 1]}, material: m%d}\n",
                     m->x == 0 && once_in(m, 5) && !m->calm ? "0.0001" : "0", pick(m, 3));
    }
}

static void add_obstacles(maker *m)
{
    int count = pick(m, m->small ? 2 : 7);
    for (int i = 0; i < count; i++) {
        double x = m->x + between(m, -1, 1), y = m->y + between(m, -1, 1);
        cri_text_add(m->text, "  s%d: {kind: static", i);
        add_body_shape(m, true);
        switch (pick(m, 4)) {
        case 0:
            cri_text_add(m->text, ", at: [%.3f, %.3f, %.3f], rotation: [%.3f, %.3f, %.3f, 1]}\n", x,
                         y, between(m, 0, 0.2), between(m, -0.3, 0.3), between(m, -0.3, 0.3),
                         between(m, -1, 1));
            break;
        case 1:
            cri_text_add(m->text, ", at: [%.3f, %.3f, -0.05]}\n", x, y);
            break;
        default:
            cri_text_add(m->text, ", at: [%.3f, %.3f], heading: %.3f}\n", x, y, between(m, -3, 3));
        }
    }
}

static const char *pushed_kind(maker *m)
{
    static const char *const kinds[] = {"passive", "controlled", "foreign, motion: pushed"};
    return kinds[pick(m, 3)];
}

// The next place of the row, in which nobody reaches farther than 0.7 m.
static void add_place(maker *m, int index)
{
    cri_text_add(m->text, ", at: [%.3f, %.3f]", m->x + 2.5 + 1.5 * (index % 4),
                 m->y - 3 + 1.5 * (double)(index / 4)); // NOLINT: whole rows
}

static int add_balls(maker *m, int index)
{
    for (int i = 0; i < m->balls; i++, index++) {
        cri_text_add(m->text, "  b%d: {kind: %s, shape: {sphere: %.4f}, mass: %.3f, material: m%d",
                     i, i ? pushed_kind(m) : "controlled", between(m, 0.02, 0.08),
                     other(m, between(m, 0.02, 0.3)), pick_material(m, true));
        add_place(m, index);
        cri_text_add(m->text, "}\n");
    }
    return index;
}

static int add_robots(maker *m, int index)
{
    for (int i = 0; i < m->robots; i++, index++) {
        cri_text_add(m->text, "  u%d: {kind: %s, mass: %.2f, upright: true", i,
                     i ? pushed_kind(m) : "controlled", other(m, between(m, 0.5, 3)));
        if (once_in(m, 3)) {
            cri_text_add(m->text, ", floor_friction: %.3f", other_or_none(m, between(m, 0, 0.8)));
        }
        add_body_shape(m, once_in(m, 20));
        add_place(m, index);
        cri_text_add(m->text, ", heading: %.3f}\n", between(m, -3, 3));
    }
    return index;
}

static int add_bars(maker *m, int index)
{
    for (int i = 0; i < m->bars; i++, index++) {
        cri_text_add(m->text, "  d%d: {kind: foreign, motion: driven", i);
        add_body_shape(m, once_in(m, 20));
        add_place(m, index);
        cri_text_add(m->text, "}\n");
    }
    return index;
}

static void add_still_shape(maker *m)
{
    double x = between(m, 0.05, 0.3), y = between(m, 0.05, 0.3), height = between(m, 0.05, 0.3);
    cri_text_add(m->text, ", material: m%d, shape: ", pick_material(m, false));
    if (once_in(m, 2)) {
        cri_text_add(m->text, "{cylinder: {radius: %.3f, height: %.3f}}", x, height);
    } else {
        cri_text_add(m->text, "{box: [%.3f, %.3f, %.3f]}", x, y, height);
    }
}

static int add_free(maker *m, int index)
{
    for (int i = 0; i < m->free; i++, index++) {
        cri_text_add(m->text, "  f%d: {kind: %s, mass: %.2f", i, pushed_kind(m),
                     other(m, between(m, 0.1, 2)));
        if (m->calm) {
            add_still_shape(m);
        } else {
            add_body_shape(m, true);
        }
        add_place(m, index);
        cri_text_add(m->text, ", heading: %.3f}\n", between(m, -3, 3));
    }
    return index;
}

// More than a hundred of two or three shapes, in grids apart from all others: a large world.
static void add_crowds(maker *m)
{
    int kinds = 2 + pick(m, 2);
    for (int i = 0; i < kinds; i++) {
        double mass = other(m, between(m, 0.1, 2));
        cri_text_add(m->text, "  c%d: {kind: passive, mass: %.2f, material: m%d, shape: ", i, mass,
                     pick_material(m, false));
        if (i == 0) {
            double x = between(m, 0.05, 0.3), y = between(m, 0.05, 0.3);
            cri_text_add(m->text, "{box: [%.3f, %.3f, %.3f]}", x, y, between(m, 0.05, 0.3));
        } else if (i == 1) {
            cri_text_add(m->text, "{sphere: %.3f}", between(m, 0.03, 0.15));
        } else {
            add_shape(m);
        }
        cri_text_add(m->text, ", grid: [%d, 10], pitch: [1.5, 1.5], at: [%.3f, %.3f]}\n",
                     i == 0 ? 8 + pick(m, 3) : 2, m->x + 20 + 16 * i, m->y);
    }
}

// ---------------------------------------------------------------------------------------------
// Joints, between any two of those that move, or to the world.

// The name of one that moves, or of the world, by its number in the row.
static void name_body(const maker *m, int index, char name[16])
{
    static const char letters[] = "budf";
    const int counts[4] = {m->balls, m->robots, m->bars, m->free};
    snprintf(name, 16, "world");
    for (int i = 0; i < 4 && index >= 0; i++) {
        if (index < counts[i]) {
            snprintf(name, 16, "%c%d", letters[i], index);
        }
        index -= counts[i];
    }
}

static bool is_pushed(const maker *m, int index)
{
    int first = m->balls + m->robots, bars = first + m->bars, all = bars + m->free;
    return index < first || (index >= bars && index < all);
}

static void add_joint_rest(maker *m, int kind)
{
    if (kind < 2 && once_in(m, 2)) {
        cri_text_add(m->text, ", limits: [%.2f, %.2f]", between(m, -1, 0), between(m, 0.1, 1));
    }
    if (kind < 2 && once_in(m, 2)) {
        cri_text_add(m->text, ", motor: {speed: %.2f, %s: %.2f}", other(m, between(m, -5, 5)),
                     kind == 0 ? "torque" : "force", other(m, between(m, 0.1, 5)));
    } else if (kind < 3) {
        cri_text_add(m->text, ", friction: %.3f", other_or_none(m, between(m, 0, 1)));
    }
    if (once_in(m, 3)) {
        cri_text_add(m->text, ", breaks: %.1f", other(m, between(m, 5, 500)));
    }
    cri_text_add(m->text, ", collide: true}\n");
}

static void add_joints(maker *m)
{
    static const char *const kinds[] = {"hinge", "slider", "ball", "weld", "rope"};
    int all = m->balls + m->robots + m->bars + m->free, count = 1 + pick(m, 4);
    cri_text_add(m->text, "joints:\n");
    for (int i = 0; i < count; i++) {
        int kind = pick(m, 5), a = pick(m, all + 1), b = pick(m, all + 1);
        char names[2][16];
        b = a == b || !is_pushed(m, b) ? m->balls : b; // the first robot
        a = a == b ? all : a;
        name_body(m, a, names[0]);
        name_body(m, b, names[1]);
        cri_text_add(m->text, "  j%d: {%s: [%s, %s]", i, kinds[kind], names[0], names[1]);
        if (kind < 4) {
            cri_text_add(m->text, ", at: [%.3f, %.3f, %.3f]", m->x + between(m, 2, 7),
                         m->y + between(m, -3, 2), between(m, 0, 0.4));
        } else if (a == all) {
            cri_text_add(m->text, ", from: [%.3f, %.3f, 1]", m->x + 2, m->y);
        }
        if (kind < 2) {
            cri_text_add(m->text, ", axis: [%.2f, %.2f, 1]", once_in(m, 2) ? 0 : between(m, -1, 1),
                         once_in(m, 2) ? 0 : between(m, -1, 1));
        }
        add_joint_rest(m, kind);
    }
}

// ---------------------------------------------------------------------------------------------
// What they do.

// Everybody who can goes to the middle, and pairs are watched.
static void add_tactics(maker *m)
{
    cri_text_add(m->text,
                 "regions:\n  middle: {box: [1.6, 1.6], at: [%.3f, %.3f]}\n"
                 "  nowhere: {box: [1, 1], at: [%.3f, 0]}\ntactics:\n",
                 m->x, m->y, m->x + 90);
    cri_text_add(m->text,
                 "  u: {controls: u0, skills: {go: {do: drive_to, place: {region: middle}, "
                 "seconds: {uniform: [0.2, 1]}}}}\n");
    if (m->balls > 0) {
        cri_text_add(m->text,
                     "  b: {controls: b0, skills: {hit: {do: strike, at: {region: middle}, "
                     "speed: {uniform: [1, 20]}}, roll: {do: wait, seconds: 0.5}}, "
                     "next: {hit: {roll: 1}, roll: {hit: 1}}}\n");
    }
    for (int i = 0; i < m->bars; i++) {
        cri_text_add(m->text, "  d%d: {controls: d%d, skills: {turn: {do: spin, rate: %.2f}}}\n", i,
                     i, between(m, -6, 6));
    }
    cri_text_add(m->text, "goal: {any: [{inside: [u0, nowhere]}");
    for (int i = 1; i < m->robots; i++) {
        cri_text_add(m->text, ", {touch: [u0, u%d]}", i);
    }
    for (int i = 0; i < m->balls; i++) {
        cri_text_add(m->text, ", {touch: [u0, b%d]}", i);
    }
    for (int i = 0; i < m->bars; i++) {
        cri_text_add(m->text, ", {touch: [u0, d%d]}", i);
    }
    cri_text_add(m->text, "]}\nplan: {select: %s, nodes: 120, horizon: 3, solutions: 100}\n",
                 once_in(m, 2) ? "uniform" : "bgt");
}

static void choose_world(maker *m)
{
    static const double places[] = {63.5, -64.2, 62, 300};
    cri_text_add(m->text, "name: made\n");
    m->x = once_in(m, 12) ? places[pick(m, 4)] : 0;
    m->y = once_in(m, 12) ? places[pick(m, 4)] : 0;
    m->small = !once_in(m, 3);
    m->slab = once_in(m, 2);
    m->balls = pick(m, m->small ? 2 : 5);
    m->robots = 1 + pick(m, m->small ? 3 : 4);
    m->bars = pick(m, m->small ? 2 : 3);
    m->free = once_in(m, 6) ? 1 + pick(m, 3) : 0;
    if (m->calm) {
        m->slab = false;
        m->free = 1 + pick(m, 3);
    }
    if (once_in(m, 6)) {
        cri_text_add(m->text, "gravity: [%.2f, 0, %.2f]\n", other(m, between(m, -1, 1)),
                     other_or_none(m, between(m, -12, 0)));
    } else if (m->set % 2) {
        cri_text_add(m->text, "gravity: [%.2f, 0, %.2f]\n", other_or_none(m, 1), other(m, -5));
    }
    if (once_in(m, 6)) {
        cri_text_add(m->text, "dt: %.4f\nsubsteps: %d\n", between(m, 0.005, 0.02), 1 + pick(m, 6));
    }
}

void generate_scene(uint64_t seed, uint64_t number, uint64_t set, cri_text *text)
{
    maker m = {.text = text,
               .rng = cr_rng_make(seed, CR_RNG_USER, number),
               .set = set,
               .calm = number % GENERATE_CALM == 3,
               .set_rng = cr_rng_make(seed + 1000003 * set, CR_RNG_USER, number)};
    choose_world(&m);
    add_materials(&m);
    cri_text_add(text, "bodies:\n");
    add_floor(&m);
    add_obstacles(&m);
    int index = add_balls(&m, 0);
    index = add_robots(&m, index);
    index = add_bars(&m, index);
    add_free(&m, index);
    bool large = number % GENERATE_LARGE == GENERATE_LARGE - 1;
    if (large) {
        add_crowds(&m);
    }
    add_tactics(&m);
    if (!large && once_in(&m, 5)) {
        add_joints(&m);
    }
}

// ---------------------------------------------------------------------------------------------
// Numbers.

static bool take_numbers(cr_numbers *numbers, const cr_model *other, const cr_numbers *from)
{
    bool taken = cr_numbers_set_gravity(numbers, cr_numbers_gravity(from), NULL) == CR_OK;
    for (int i = 0; i < cr_model_moving_count(other); i++) {
        int body = cr_model_moving_body(other, i);
        if (!cr_model_body(other, body)->driven) {
            cr_body_numbers value = cr_numbers_body(from, body);
            taken = taken && cr_numbers_set_body(numbers, body, &value, NULL) == CR_OK;
        }
    }
    for (int i = 0; i < cr_model_joint_count(other); i++) {
        cr_joint_numbers value = cr_numbers_joint(from, i);
        taken = taken && cr_numbers_set_joint(numbers, i, &value, NULL) == CR_OK;
    }
    int materials = cr_model_material_count(other);
    for (int a = 0; a < materials; a++) {
        cr_material value = cr_numbers_material(from, a);
        taken = taken && cr_numbers_set_material(numbers, a, &value, NULL) == CR_OK;
    }
    for (int i = 0; i < materials * materials; i++) {
        cr_material value = cr_numbers_pair(from, i / materials, i % materials);
        taken = taken &&
                cr_numbers_set_pair(numbers, i / materials, i % materials, &value, NULL) == CR_OK;
    }
    return taken;
}

cr_numbers *numbers_like(const cr_model *model, const cr_model *other)
{
    cr_numbers *numbers = NULL, *from = NULL;
    bool taken = cr_numbers_create(model, &numbers, NULL) == CR_OK &&
                 cr_numbers_create(other, &from, NULL) == CR_OK &&
                 take_numbers(numbers, other, from);
    cr_numbers_destroy(from);
    if (!taken) {
        cr_numbers_destroy(numbers);
        return NULL;
    }
    return numbers;
}

// ---------------------------------------------------------------------------------------------
// States and actions.

static double spread(cr_rng *rng, double most)
{
    return cr_rng_uniform(rng, -most, most);
}

static cr_vec3 spread3(cr_rng *rng, double most)
{
    return (cr_vec3){spread(rng, most), spread(rng, most), spread(rng, most)};
}

static bool rarely(cr_rng *rng, int count)
{
    return cr_rng_index(rng, (uint64_t)count) == 0;
}

// A number that no state should have.
static double nonsense(cr_rng *rng)
{
    static const double numbers[] = {NAN, HUGE_VAL, -HUGE_VAL, 1e30, -2e5, 1e-310};
    return numbers[cr_rng_index(rng, 6)];
}

static bool can_tumble(const cr_body *body)
{
    return !body->upright && !body->driven && !cri_body_is_sphere(body);
}

// room: 1, or more where there are many
static void scatter_body(const cr_body *body, cr_vec3 middle, double room, double pace, cr_rng *rng,
                         cr_body_state *s)
{
    double way = (rarely(rng, 4) ? 0.2 : 0.8) * room;
    s->position.x = middle.x + spread(rng, way);
    s->position.y = middle.y + spread(rng, way);
    if (!body->upright && !body->driven) {
        double rest = s->position.z; // on the ground
        s->position.z = rarely(rng, 3) ? rest : rest + cr_rng_uniform(rng, -0.02, 0.4);
        s->spin = spread3(rng, 3 * pace);
        s->velocity.z = rarely(rng, 2) ? -0.0 : spread(rng, pace);
    } else if (rarely(rng, 3)) {
        s->position.z += rarely(rng, 2) ? spread(rng, 0.001) : spread(rng, 0.1);
    }
    if (!body->driven) {
        s->velocity.x = rarely(rng, 5) ? -0.0 : spread(rng, pace);
        s->velocity.y = rarely(rng, 5) ? 0.0 : spread(rng, pace);
        s->spin.z = rarely(rng, 3) ? -0.0 : spread(rng, 3 * pace);
    }
}

static void turn_body(const cr_body *body, cr_rng *rng, cr_body_state *s)
{
    bool any = !body->upright && !body->driven && !rarely(rng, 3);
    cr_quat q = {any ? spread(rng, 1) : 0, any ? spread(rng, 1) : 0, spread(rng, 1), 0.1};
    double length = sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    s->rotation = (cr_quat){q.x / length, q.y / length, q.z / length, q.w / length};
    if (rarely(rng, 4)) {
        s->rotation = (cr_quat){0, rarely(rng, 2) ? -0.0 : 0, -0.0, 1};
    }
}

// What a large world remembers: nothing, that all or most of it has long been slow, or anything.
static void generate_traces(const cr_model *model, cr_rng *rng, cr_state *state)
{
    uint8_t *traces = cri_traces(model, state);
    int how = (int)cr_rng_index(rng, 4);
    for (int i = 0; i < model->moving_count && (how == 1 || how == 2); i++) {
        traces[i] = how == 2 && rarely(rng, 9) ? 0 : 250;
    }
    for (size_t i = 0; i < model->traces_size && how == 3; i++) {
        traces[i] = (uint8_t)cr_rng_bits(rng);
    }
}

void generate_state(const cr_model *model, cr_rng *rng, cr_state *state)
{
    static const double paces[] = {0.3, 3, 3, 12};
    cr_state_start(model, state);
    cr_vec3 middle = cr_model_region(model, 0)->pose.position;
    if (rarely(rng, 40)) { // on the way out
        middle.x = rarely(rng, 2) ? 63.7 : -63.7;
    }
    double pace = rarely(rng, 40) ? 300 : paces[cr_rng_index(rng, 4)];
    cr_body_state *bodies = cr_state_bodies(model, state);
    bool large = cri_model_is_large(model), calm = !large && rarely(rng, 3);
    double room = large ? sqrt(cr_model_moving_count(model) / 12.0) : 1;
    int sense = large ? 10000 : 400;
    for (int i = 0; i < cr_model_moving_count(model); i++) {
        const cr_body *body = cr_model_body(model, cr_model_moving_body(model, i));
        if (calm && can_tumble(body)) {
            bodies[i].position.x = middle.x + spread(rng, 2);
            bodies[i].position.y = middle.y + spread(rng, 2);
            continue;
        }
        scatter_body(body, middle, room, pace, rng, &bodies[i]);
        turn_body(body, rng, &bodies[i]);
        if (rarely(rng, sense)) {
            bodies[i].position.y = nonsense(rng);
        } else if (rarely(rng, sense)) {
            bodies[i].spin.z = nonsense(rng);
        }
    }
    if (large) {
        generate_traces(model, rng, state);
    }
    for (int i = 0; i < cr_model_joint_count(model); i++) {
        cr_state_joints(model, state)[i].broken = rarely(rng, 4);
        cr_state_joints(model, state)[i].turns = rarely(rng, 4) ? (int)cr_rng_index(rng, 9) - 4 : 0;
    }
}

void generate_actions(const cr_model *model, cr_rng *rng, cr_action *actions)
{
    bool tilts = rarely(rng, 40), idle = rarely(rng, 2);
    for (int i = 0; i < cr_model_moving_count(model); i++) {
        const cr_body *body = cr_model_body(model, cr_model_moving_body(model, i));
        cr_action *a = &actions[i];
        *a = (cr_action){.force = {spread(rng, 8), spread(rng, 8), -0.0},
                         .torque.z = spread(rng, 0.1)};
        if (rarely(rng, 5)) {
            a->impulse = spread3(rng, 1);
            a->twist.z = spread(rng, 0.01);
        }
        if (body->driven) {
            a->velocity = (cr_vec3){spread(rng, 1), rarely(rng, 2) ? -0.0 : spread(rng, 1), 0};
            a->spin.z = rarely(rng, 3) ? 0 : spread(rng, 8);
            a->spin.x = tilts ? spread(rng, 2) : 0;
        }
        if (idle && can_tumble(body)) {
            *a = (cr_action){0};
        }
        if (rarely(rng, 500)) {
            a->force.x = nonsense(rng);
        }
    }
}
