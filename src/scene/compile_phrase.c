// What conditions and quantities have in common: a name, and values that stand behind it in the
// order of its parameters.
#include "scene/compile.h"

#include <limits.h>
#include <stdio.h>

// What a value names: a body, a region as -1 - region, or, as INT_MAX, neither.
static int thing_of(const cri_value *value)
{
    switch (value->type) {
    case CR_PARAM_BODY:
    case CR_PARAM_THING:
        return value->index;
    case CR_PARAM_REGION:
        return -1 - value->index;
    case CR_PARAM_PLACE:
        return value->place.kind == CRI_PLACE_BODY ? value->place.body : INT_MAX;
    case CR_PARAM_NUMBER:
    case CR_PARAM_CHOICE:
    case CR_PARAM_JOINT:
        break;
    }
    return INT_MAX;
}

static const char *thing_name(const cr_model *model, int thing)
{
    return thing >= 0 ? model->bodies[thing].name : model->regions[-1 - thing].name;
}

// False after a report if what a value names stands before it too.
static bool check_thing(cri_compiler *c, const cri_node *node, const cri_phrase *phrase,
                        const cri_value *values, int index)
{
    int thing = thing_of(&values[index]);
    for (int i = 0; thing != INT_MAX && i < index; i++) {
        if (thing == thing_of(&values[i])) {
            return cri_compile_fail(c, CR_ERR_NAME, node, "%s: \"%s\" stands here twice",
                                    phrase->name, thing_name(c->model, thing));
        }
    }
    return true;
}

bool cri_check_things(cri_compiler *c, const cri_node *node, const cri_phrase *phrase,
                      const cri_value *values, bool *moves)
{
    *moves = !phrase->only_params;
    for (int i = 0; phrase->only_params && i < phrase->param_count; i++) {
        int thing = thing_of(&values[i]);
        *moves = *moves || (thing >= 0 && thing != INT_MAX && cri_body_moves(c, thing));
        if (!check_thing(c, node, phrase, values, i)) {
            return false;
        }
    }
    return true;
}

// One that asks about touches and names one body asks about all that this may touch.
static void watch_all(cri_compiler *c, int body)
{
    for (int i = 0; i < c->model->body_count; i++) {
        if (i != body && !cri_is_plane(&c->model->bodies[i])) {
            cri_wish(c, (cri_pair_wish){body, i, true}, NULL);
        }
    }
}

// Every pair of its bodies is watched.
static void watch_values(cri_compiler *c, const cri_node *node, const cri_phrase *phrase,
                         const cri_value *values)
{
    if (phrase->param_count == 1 && values[0].type == CR_PARAM_BODY) {
        watch_all(c, values[0].index);
    }
    for (int i = 0; i < phrase->param_count; i++) {
        for (int j = i + 1; j < phrase->param_count; j++) {
            if (values[i].type != CR_PARAM_BODY || values[j].type != CR_PARAM_BODY) {
                continue;
            }
            if (values[i].index == values[j].index) {
                cri_compile_fail(c, CR_ERR_NAME, node, "%s: a body does not touch itself",
                                 phrase->name);
            } else {
                cri_wish(c, (cri_pair_wish){values[i].index, values[j].index, true}, node);
            }
        }
    }
}

static bool check_count(cri_compiler *c, const cri_node *node, const cri_phrase *phrase, int count)
{
    int needed = phrase->param_count;
    while (needed > 0 && phrase->params[needed - 1].fallback) {
        needed--;
    }
    if (count >= needed && count <= phrase->param_count) {
        return true;
    }
    char words[160] = "";
    size_t length = 0;
    for (int i = 0; i < phrase->param_count && length < sizeof words; i++) {
        length += (size_t)snprintf(words + length, sizeof words - length, "%s%s", i > 0 ? ", " : "",
                                   phrase->params[i].name);
    }
    return cri_compile_fail(c, CR_ERR_RANGE, node, "%s must have the values [%s], got %d of them",
                            phrase->name, words, count);
}

bool cri_read_phrase(cri_compiler *c, const cri_node *node, const cri_phrase *phrase,
                     const cri_value **values)
{
    // One value may stand without a list.
    bool list = node->kind == CRI_NODE_LIST;
    int count = list ? node->count : 1;
    const cri_node *items = list ? node->items : node;
    if (!check_count(c, node, phrase, count)) {
        return false;
    }
    cri_value *made = cri_compile_alloc(c, (size_t)phrase->param_count, sizeof *made);
    *values = made;
    if (!made) {
        return false;
    }
    bool good = true;
    int drawn = 0;
    for (int i = 0; i < phrase->param_count; i++) {
        const cri_node *item = i < count ? &items[i] : NULL;
        good =
            cri_read_value(c, item, &phrase->params[i], CRI_DRAWS_NONE, &made[i], &drawn) && good;
    }
    if (good && phrase->asks_touch) {
        watch_values(c, node, phrase, made);
    }
    return good;
}
