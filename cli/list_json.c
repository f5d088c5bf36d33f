// What `carom list` knows, as JSON, from the same tables.
#include "list.h"

#include "terminal/json.h"

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

void json_params(const cr_param *params, int count)
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

void json_parameters(const cr_library *library)
{
    json_open("parameters", JSON_LIST);
    for (int i = 0; i < cr_parameter_count(); i++) {
        const cr_parameter *p = cr_parameter_at(i);
        add_name(p->name, p->about);
        json_text("type", p->type);
        char words[400];
        if (!cr_parameter_words(i, library, words, sizeof words)[0]) {
            add_range(p->unit, p->min, p->max);
        } else if (strcmp(p->type, "flag") != 0) {
            add_words(words);
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
