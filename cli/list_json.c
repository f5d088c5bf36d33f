// What `carom list` knows, as JSON, from the same tables.
#include "terminal/json.h"
#include "search.h"

#include <math.h>
#include <string.h>

// The words of "a|b|c".
static void add_words(const char *words)
{
    json_open("words", JSON_LIST);
    for (const char *at = words; *at;) {
        int length = (int)strcspn(at, "|");
        char word[64];
        snprintf(word, sizeof word, "%.*s", length, at);
        json_text(NULL, word);
        at += length + (at[length] == '|');
    }
    json_close();
}

static void add_range(const char *unit, double min, double max)
{
    json_text("unit", unit);
    json_number("min", min);
    json_number("max", max);
}

static void add_param(const cr_param *p)
{
    bool limited = p->min != 0 || p->max != 0;
    json_open(NULL, JSON_OBJECT);
    json_text("name", p->name);
    json_text("type", param_sort(p->type));
    if (p->type == CR_PARAM_CHOICE) {
        add_words(p->unit);
    } else if (p->type == CR_PARAM_NUMBER) {
        add_range(p->unit, limited ? p->min : -HUGE_VAL, limited ? p->max : HUGE_VAL);
    }
    json_text("default", p->fallback);
    json_text("about", p->about);
    json_close();
}

static void add_params(const cr_param *params, int count)
{
    json_open("parameters", JSON_LIST);
    for (int i = 0; i < count; i++) {
        add_param(&params[i]);
    }
    json_close();
}

static void add_name(const char *name, const char *about)
{
    json_open(NULL, JSON_OBJECT);
    json_text("name", name);
    json_text("about", about);
}

void json_skills(void)
{
    json_open("skills", JSON_LIST);
    for (int i = 0; i < cr_library_skill_count(NULL); i++) {
        const cr_skill_type *type = cr_library_skill(NULL, i);
        add_name(type->name, type->about);
        add_params(type->params, type->param_count);
        json_close();
    }
    json_close();
}

void json_conditions(void)
{
    json_open("conditions", JSON_LIST);
    for (int i = 0; i < cr_library_condition_count(NULL); i++) {
        const cr_condition_type *type = cr_library_condition(NULL, i);
        add_name(type->name, type->about);
        add_params(type->params, type->param_count);
        json_close();
    }
    json_close();
}

void json_parameters(void)
{
    json_open("parameters", JSON_LIST);
    for (int i = 0; i < cr_parameter_count(); i++) {
        const cr_parameter *p = cr_parameter_at(i);
        add_name(p->name, p->about);
        json_text("type", p->type);
        if (strcmp(p->type, "choice") == 0) {
            add_words(p->unit);
        } else if (strcmp(p->type, "number") == 0 || strcmp(p->type, "count") == 0) {
            add_range(p->unit, p->min, p->max);
        }
        json_text("default", p->fallback);
        json_close();
    }
    json_close();
}

void json_scene_parameters(const cr_scene *scene)
{
    json_open("scene_parameters", JSON_LIST);
    for (int i = 0; i < cr_scene_parameter_count(scene); i++) {
        json_open(NULL, JSON_OBJECT);
        json_text("name", cr_scene_parameter_name(scene, i));
        json_text("value", cr_scene_parameter_text(scene, i));
        json_close();
    }
    json_close();
}

void json_scene(const char *name, const char *path, const cr_scene *scene)
{
    add_name(name, cr_scene_about(scene));
    json_text("path", path);
    json_close();
}
