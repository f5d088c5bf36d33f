#include "feedback.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <cmocka.h>

#include "base/file.h"

#define MAX_FILE ((size_t)1 << 28)

// ---------------------------------------------------------------------------------------------
// What the replay tells.

static bool is_plane(const cr_model *model, int body)
{
    const cr_body *b = cr_model_body(model, body);
    for (int i = 0; i < b->part_count; i++) {
        if (b->parts[i].shape.kind == CR_SHAPE_PLANE) {
            return true;
        }
    }
    return false;
}

// Whether two bodies touch in a step.
static bool touch(const cr_contact *contacts, int count, int a, int b)
{
    for (int i = 0; i < count; i++) {
        if (contacts[i].a == a && contacts[i].b == b) {
            return true;
        }
    }
    return false;
}

typedef struct listener {
    told *t;
    cr_contact *before; // of the step before
    int before_count;
} listener;

static void hear_contacts(listener *l, const cr_replay_step *step)
{
    told *t = l->t;
    for (int i = 0; i < step->contact_count; i++) {
        const cr_contact *c = &step->contacts[i];
        if (!touch(l->before, l->before_count, c->a, c->b) && !is_plane(t->model, c->a) &&
            !is_plane(t->model, c->b)) {
            assert_true(t->contact_count < TOLD_MAX);
            t->contacts[t->contact_count++] = (told_contact){t->frames, *c};
        }
    }
    memcpy(l->before, step->contacts, (size_t)step->contact_count * sizeof *l->before);
    l->before_count = step->contact_count;
}

// The Skill that a state names acted from the frame before on.
static void hear_skills(told *t, const cr_state *state)
{
    for (int i = 0; i < cr_model_tactic_count(t->model); i++) {
        int skill = cr_state_tactic_const(t->model, state, i)->skill, last = t->skill_count - 1;
        while (last >= 0 && t->skills[last].tactic != i) {
            last--;
        }
        if (last < 0 || t->skills[last].skill != skill) {
            assert_true(t->skill_count < TOLD_MAX);
            last = t->skill_count++;
            t->skills[last] = (told_skill){i, skill, t->frames - 1, 0};
        }
        t->skills[last].to = t->frames;
    }
}

static bool hear(const cr_replay_step *step, void *context)
{
    listener *l = context;
    told *t = l->t;
    size_t tracks = (size_t)t->tracks, at = (size_t)t->frames * tracks;
    const cr_body_state *bodies = cr_state_bodies_const(step->model, step->state);
    memcpy(t->bodies + at, bodies, tracks * sizeof *bodies);
    t->scores[t->frames] = step->score;
    assert_true(cr_state_time(t->model, step->state) == t->frames * cr_model_dt(t->model));
    if (step->actions) {
        memcpy(t->actions + at - tracks, step->actions, tracks * sizeof *step->actions);
        hear_skills(t, step->state);
        hear_contacts(l, step);
    }
    t->frames++;
    return true;
}

told *told_by_replay(const cr_plan *plan, int solution)
{
    const cr_model *model = cr_plan_model(plan);
    size_t frames = (size_t)cr_plan_solution(plan, solution).steps + 1;
    size_t tracks = (size_t)cr_model_moving_count(model);
    told *t = calloc(1, sizeof *t);
    *t = (told){.model = model, .tracks = (int)tracks};
    t->bodies = calloc(frames * tracks, sizeof *t->bodies);
    t->actions = calloc(frames * tracks, sizeof *t->actions);
    t->scores = calloc(frames, sizeof *t->scores);
    listener l = {t, calloc((size_t)cr_model_contact_max(model) + 1, sizeof *l.before), 0};
    assert_int_equal(cr_plan_replay(plan, solution, hear, &l, NULL), CR_OK);
    free(l.before);
    return t;
}

void told_free(told *t)
{
    free(t->bodies);
    free(t->actions);
    free(t->scores);
    free(t);
}

// ---------------------------------------------------------------------------------------------
// Tables.

sheet sheet_open(const char *path, const char *heading)
{
    sheet s = {0};
    size_t length;
    assert_int_equal(cri_file_read(path, MAX_FILE, &s.text, &length, NULL), CR_OK);
    s.at = strchr(s.text, '\n');
    assert_non_null(s.at);
    *s.at++ = 0;
    assert_string_equal(s.text, heading);
    return s;
}

bool sheet_ended(const sheet *s)
{
    return !*s->at;
}

const char *sheet_word(sheet *s)
{
    char *word = s->at;
    assert_false(sheet_ended(s));
    s->at += strcspn(word, ",\n");
    assert_true(*s->at == ',' || *s->at == '\n');
    *s->at++ = 0;
    return word;
}

double sheet_number(sheet *s)
{
    const char *word = sheet_word(s);
    char *end;
    double value = strtod(word, &end);
    assert_true(*end == 0);
    return *word ? value : NAN;
}

void sheet_close(sheet *s)
{
    free(s->text);
}

// ---------------------------------------------------------------------------------------------
// Pages.

static uint32_t u32(const unsigned char *b)
{
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

blob blob_take(const void *bytes, size_t length)
{
    blob b = {malloc(length), length, 0, NULL};
    memcpy(b.bytes, bytes, length);
    assert_memory_equal(b.bytes, "CRPB", 4);
    assert_int_equal(u32(b.bytes + 4), 4);
    uint32_t header = u32(b.bytes + 8);
    b.at = 12 + header;
    assert_true(b.at <= length);
    b.header = calloc(header + 1, 1);
    memcpy(b.header, b.bytes + 12, header);
    return b;
}

void blob_free(blob *b)
{
    free(b->bytes);
    free(b->header);
}

static int digit_of(char letter)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = strchr(letters, letter);
    return letter && at ? (int)(at - letters) : -1;
}

// Letters up to the first that is none.
static size_t decode_base64(const char *text, unsigned char *out)
{
    size_t length = 0;
    uint32_t bits = 0;
    int have = 0;
    for (; digit_of(*text) >= 0; text++) {
        bits = bits << 6 | (uint32_t)digit_of(*text);
        have += 6;
        if (have >= 8) {
            have -= 8;
            out[length++] = (unsigned char)(bits >> have);
        }
    }
    return length;
}

blob blob_of_page(const char *path)
{
    static const char mark[] = "<script id=\"playback\" type=\"application/octet-stream\">";
    char *page;
    size_t length;
    assert_int_equal(cri_file_read(path, MAX_FILE, &page, &length, NULL), CR_OK);
    const char *at = strstr(page, mark);
    assert_non_null(at);
    unsigned char *packed = malloc(length);
    size_t packed_length = decode_base64(at + strlen(mark), packed);
    uLongf room = (uLongf)1 << 26;
    unsigned char *bytes = malloc(room);
    assert_int_equal(uncompress(bytes, &room, packed, (uLong)packed_length), Z_OK);
    blob b = blob_take(bytes, room);
    free(bytes);
    free(packed);
    free(page);
    return b;
}

blob_column blob_next(blob *b)
{
    const unsigned char *at = b->bytes + b->at;
    assert_true(b->at + 16 <= b->length);
    blob_column c = {0};
    memcpy(&c.step, at, 8);
    uint32_t count = u32(at + 8), order = u32(at + 12), last = 0, before = 0;
    assert_true(order <= 2 && b->at + 16 + 4 * (size_t)count <= b->length);
    c.count = (int)count;
    c.values = calloc(count + 1, sizeof *c.values);
    at += 16;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t zigzag = at[i] | (uint32_t)at[i + count] << 8 | (uint32_t)at[i + 2 * count] << 16 |
                          (uint32_t)at[i + 3 * count] << 24;
        uint32_t residue = zigzag >> 1 ^ (zigzag & 1 ? UINT32_MAX : 0);
        uint32_t now = residue + (order == 0 ? 0 : order == 1 ? last : 2 * last - before);
        c.values[i] = now == 0x80000000u ? NAN : c.step * (int32_t)now;
        before = last;
        last = now;
    }
    b->at += 16 + 4 * (size_t)count;
    return c;
}

double blob_number(const blob *b, const char *key, int n)
{
    char name[64];
    snprintf(name, sizeof name, "\"%s\":", key);
    const char *at = b->header;
    for (int i = 0; i <= n; i++) {
        at = strstr(i ? at + 1 : at, name);
        assert_non_null(at);
    }
    return strtod(at + strlen(name), NULL);
}
