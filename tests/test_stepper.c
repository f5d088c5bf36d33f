// The steppers of the lanes engine: the same bits from each of them, in any lane, beside any
// neighbours.
#include "engine/lanes/stepper.h"
#include "field.h"

enum { STEPS = 300 };

typedef struct history {
    world w;
    cr_vec2 outline[ROBOT_POINTS];
    cri_course course;
    size_t size;
    unsigned char *states; // STEPS + 1
    cr_action *actions;
    cr_contact *contacts;
    int counts[STEPS];
} history;

static cr_state *state_of(const history *h, int i)
{
    return (cr_state *)(void *)(h->states + (size_t)i * h->size);
}

static cr_step step_of(const history *h, int i, cr_state *to, cr_contact *contacts)
{
    memcpy(to, state_of(h, i), h->size);
    return (cr_step){.from = to,
                     .to = to,
                     .actions = h->actions + i * h->w.model.moving_count,
                     .contacts = contacts};
}

static void *scratch_of(const cri_stepper *stepper, const cri_course *course)
{
    void *scratch = aligned_alloc(64, stepper->room(course));
    assert_non_null(scratch);
    return scratch;
}

// A history of one world, by the scalar twin.
static void record_history(history *h)
{
    h->w = world_make();
    crowded_field(&h->w, h->outline);
    const cr_model *model = &h->w.model;
    assert_true(cri_course_fits(model));
    assert_int_equal(cri_course_init(&h->course, model, NULL), CR_OK);
    h->size = cr_state_size(model);
    h->states = calloc(STEPS + 1, h->size);
    h->actions = calloc(STEPS * (size_t)model->moving_count, sizeof *h->actions);
    h->contacts = calloc(STEPS * (size_t)model->contact_max, sizeof *h->contacts);
    assert_true(h->states && h->actions && h->contacts);
    void *scratch = scratch_of(&cri_stepper_scalar, &h->course);
    cr_rng rng = cr_rng_make(3, CR_RNG_USER, 0);
    cr_state_start(model, state_of(h, 0));
    int touches = 0;
    for (int i = 0; i < STEPS; i++) {
        crowded_actions(model, h->actions + i * model->moving_count, &rng);
        cr_step step = step_of(h, i, state_of(h, i + 1), h->contacts + i * model->contact_max);
        assert_int_equal(cri_stepper_scalar.step(&h->course, scratch, &step, 1), 0);
        assert_true(step.alive);
        touches += h->counts[i] = step.contact_count;
    }
    // Balls that lie on the floor and more.
    assert_true(touches > 2 * STEPS);
    free(scratch);
}

static void forget(history *h)
{
    cri_course_free(&h->course);
    free(h->states);
    free(h->actions);
    free(h->contacts);
    world_free(&h->w);
}

// Steps of the history, drawn at random, in batches of all sizes, some or all without asking for
// contacts. Returns how many differ.
static int replay(const history *h, const cri_stepper *stepper)
{
    const cr_model *model = &h->w.model;
    void *scratch = scratch_of(stepper, &h->course);
    unsigned char *to = calloc((size_t)stepper->lanes, h->size);
    cr_contact *contacts =
        calloc((size_t)stepper->lanes * (size_t)model->contact_max, sizeof *contacts);
    assert_true(to && contacts);
    cr_rng rng = cr_rng_make(7, CR_RNG_USER, 0);
    int wrong = 0;
    for (int round = 0; round < 400; round++) {
        int count = 1 + round % stepper->lanes, which[8];
        cr_step steps[8];
        for (int k = 0; k < count; k++) {
            which[k] = (int)cr_rng_index(&rng, STEPS);
            steps[k] = step_of(h, which[k], (cr_state *)(void *)(to + (size_t)k * h->size),
                               contacts + k * model->contact_max);
            if (k % 3 == 2 || round % 5 == 4) {
                steps[k].contacts = NULL;
            }
        }
        wrong += stepper->step(&h->course, scratch, steps, count) != 0;
        for (int k = 0; k < count; k++) {
            size_t bytes = (size_t)h->counts[which[k]] * sizeof(cr_contact);
            wrong += !steps[k].alive || steps[k].contact_count != h->counts[which[k]] ||
                     memcmp(steps[k].to, state_of(h, which[k] + 1), h->size) != 0 ||
                     (steps[k].contacts &&
                      memcmp(steps[k].contacts, h->contacts + which[k] * model->contact_max,
                             bytes) != 0);
        }
    }
    free(scratch);
    free(to);
    free(contacts);
    return wrong;
}

static void test_steppers_give_the_same_bits(void **state)
{
    (void)state;
    history h = {0};
    record_history(&h);
    const cri_stepper *steppers[] = {&cri_stepper_scalar, &cri_stepper_base, cri_stepper_best()};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(replay(&h, steppers[i]), 0);
    }
    forget(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steppers_give_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
