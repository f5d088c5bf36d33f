// What may change of a Tactic: weights where a Skill has more than one way to go on, both ends of
// what is drawn from a range, and bgt's mu. All of it by its place in the text.
#include "fit/tune.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/report.h"
#include "scene/model.h"

static bool add(cr_tuning *t, const cri_tunable *p)
{
    bool wanted = !t->def.pattern || cri_is_like(p->name, t->def.pattern);
    if (wanted && t->count < CRI_TUNABLES_MAX) {
        t->parameters[t->count++] = *p;
    }
    return wanted;
}

// A number that stands in the text as it is, perhaps with a unit; false for expressions.
static bool read_plain(const cr_tuning *t, const cri_node *node, double *value, const char **unit)
{
    if (node->kind != CRI_NODE_SCALAR || !cri_edit_fits(t->scene, node)) {
        return false;
    }
    const char *end;
    *value = cri_number_read(node->text, &end);
    *unit = end;
    return end != node->text && (*end == 0 || strcmp(end, " deg") == 0);
}

// Both ends of {uniform: [low, high]}.
static void add_range(cr_tuning *t, const cri_node *list, const char *name)
{
    double low, high;
    const char *low_unit, *high_unit;
    if (list->kind != CRI_NODE_LIST || list->count != 2 ||
        !read_plain(t, &list->items[0], &low, &low_unit) ||
        !read_plain(t, &list->items[1], &high, &high_unit) || t->count + 2 > CRI_TUNABLES_MAX) {
        return;
    }
    cri_tunable p = {.node = &list->items[0],
                     .kind = CRI_TUNABLE_LOW,
                     .unit = low_unit,
                     .value = low,
                     .width = fabs(high - low)};
    cri_format(p.name, sizeof p.name, "%.100s.low", name);
    if (add(t, &p)) {
        p.node = &list->items[1];
        p.kind = CRI_TUNABLE_HIGH;
        p.unit = high_unit;
        p.value = high;
        cri_format(p.name, sizeof p.name, "%.100s.high", name);
        t->parameters[t->count++] = p; // both or none: they are kept in order
    }
}

// All ranges in what a Skill takes, however deep.
static void add_ranges(cr_tuning *t, const cri_node *node, const char *name, int depth)
{
    if (node->kind != CRI_NODE_MAP || depth > 4) {
        return;
    }
    for (int i = 0; i < node->count; i++) {
        const cri_node *key = cri_node_key(node, i), *value = cri_node_value(node, i);
        char inner[120];
        cri_format(inner, sizeof inner, "%.60s.%.40s", name, key->text);
        if (cri_node_is(key, "uniform")) {
            add_range(t, value, name);
        } else {
            add_ranges(t, value, inner, depth + 1);
        }
    }
}

// `B: 3`, `B: {weight: 3, when: ...}` or `B: {when: ...}`, which weighs 1.
static void add_weight(cr_tuning *t, const cri_node *to, const char *name)
{
    cri_tunable p = {.kind = CRI_TUNABLE_WEIGHT, .node = to, .unit = "", .value = 1};
    cri_format(p.name, sizeof p.name, "%s", name);
    if (to->kind == CRI_NODE_MAP && to->count > 0) {
        const cri_node *weight = cri_node_get(to, "weight");
        p.insert = !weight;
        p.node = weight ? weight : cri_node_key(to, 0);
    }
    if (p.insert || read_plain(t, p.node, &p.value, &p.unit)) {
        add(t, &p);
    }
}

static void add_weights(cr_tuning *t, const cri_node *next, const char *tactic)
{
    for (int i = 0; next && next->kind == CRI_NODE_MAP && i < next->count; i++) {
        const cri_node *ways = cri_node_value(next, i);
        for (int k = 0; ways->kind == CRI_NODE_MAP && ways->count > 1 && k < ways->count; k++) {
            char name[120];
            cri_format(name, sizeof name, "%.30s.next.%.30s.%.30s", tactic,
                       cri_node_key(next, i)->text, cri_node_key(ways, k)->text);
            add_weight(t, cri_node_value(ways, k), name);
        }
    }
}

static void add_tactic(cr_tuning *t, const cri_node *tactic, const char *name)
{
    const cri_node *skills = cri_node_get(tactic, "skills");
    for (int i = 0; skills && skills->kind == CRI_NODE_MAP && i < skills->count; i++) {
        char inner[120];
        cri_format(inner, sizeof inner, "%.50s.%.50s", name, cri_node_key(skills, i)->text);
        add_ranges(t, cri_node_value(skills, i), inner, 0);
    }
    add_weights(t, cri_node_get(tactic, "next"), name);
}

static void add_mu(cr_tuning *t)
{
    const cri_node *plan = cri_node_get(t->scene->root, "plan");
    const cri_node *mu = plan ? cri_node_get(plan, "mu") : NULL;
    cri_tunable p = {.name = "plan.mu", .kind = CRI_TUNABLE_MU, .node = mu};
    if (mu && read_plain(t, mu, &p.value, &p.unit)) {
        add(t, &p);
    }
}

cr_status cri_tuning_collect(cr_tuning *t, const cr_model *model, cr_report *report)
{
    const cri_node *tactics = cri_node_get(t->scene->root, "tactics");
    for (int i = 0; i < cr_model_tactic_count(model); i++) {
        const cr_tactic *tactic = cr_model_tactic(model, i);
        const char *entry = model->tactics[i].entry; // one of a crowd for all
        const cri_node *node = tactics ? cri_node_get(tactics, entry) : NULL;
        if (node && model->tactics[i].member == 0 &&
            cr_model_body(model, tactic->body)->kind == CR_KIND_CONTROLLED) {
            add_tactic(t, node, entry);
        }
    }
    add_mu(t);
    return t->count > 0 ? CR_OK
                        : cri_fail(report, CR_ERR_NAME, (cri_location){t->scene->path, 1, 1},
                                   "nothing of the scene's Tactics is called \"%s\"",
                                   t->def.pattern ? t->def.pattern : "*");
}

void cri_tuning_write(const cr_tuning *t, const double *values, const char *mark, cri_text *out)
{
    cri_edit edits[CRI_TUNABLES_MAX];
    int count = 0;
    for (int i = 0; i < t->count; i++) {
        const cri_tunable *p = &t->parameters[i];
        if (!(fabs(values[i] - p->value) > 0)) {
            continue;
        }
        cri_edit *e = &edits[count++];
        *e = (cri_edit){.at = cri_edit_offset(t->scene, p->node),
                        .length = p->insert ? 0 : (size_t)p->node->count};
        const char *format = p->insert ? "weight: %.4g%s, " : "%.4g%s";
        cri_format(e->text, sizeof e->text, format, values[i], p->unit);
        const char *word = strrchr(p->name, '.') + 1;
        cri_format(e->was, sizeof e->was, "%.40s %.6g%s", word, p->value, p->unit);
    }
    cri_edit_write(t->scene, edits, count, mark, out);
}
