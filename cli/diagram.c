// Tactics as diagrams: the Skills of each Tactic on a ring, arrows for transitions. An arrow is
// dashed if it has a condition; the number on it is its weight where that is not 1. The Skill that
// a Tactic starts with has a thick frame. Tactics of one Skill stand in a row below.
#include "list.h"
#include "search.h"

#include <math.h>
#include <stdio.h>

enum { PANEL_WIDTH = 560, PANEL_HEIGHT = 400, BOX_WIDTH = 112, BOX_HEIGHT = 40, ROW = 24 };

typedef struct spot {
    double x, y;
} spot;

static spot skill_spot(int skill, int count, int panel)
{
    double angle = 2 * 3.14159265358979 * skill / count - 3.14159265358979 / 2;
    return (spot){PANEL_WIDTH / 2.0 + (PANEL_WIDTH / 2.0 - BOX_WIDTH / 2.0 - 14) * cos(angle),
                  panel * PANEL_HEIGHT + PANEL_HEIGHT / 2.0 + 14 +
                      (PANEL_HEIGHT / 2.0 - BOX_HEIGHT - 14) * sin(angle)};
}

// Where the line from a box's middle in a direction leaves the box.
static spot leave(spot from, spot to)
{
    double dx = to.x - from.x, dy = to.y - from.y;
    double sx = fabs(dx) > 1e-9 ? (BOX_WIDTH / 2.0 + 3) / fabs(dx) : HUGE_VAL;
    double sy = fabs(dy) > 1e-9 ? (BOX_HEIGHT / 2.0 + 3) / fabs(dy) : HUGE_VAL;
    double s = fmin(sx, sy);
    return (spot){from.x + s * dx, from.y + s * dy};
}

static void draw_label(spot at, double weight)
{
    if (weight != 1) {
        printf("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" fill=\"#a33\" "
               "font-size=\"11\">%g</text>\n",
               at.x, at.y, weight);
    }
}

// Bent to one side, so that there and back are two lines.
static void draw_arrow(spot a, spot b, const cr_transition *t)
{
    const char *dash = t->conditional ? " stroke-dasharray=\"5 3\"" : "";
    double dx = b.x - a.x, dy = b.y - a.y, length = sqrt(dx * dx + dy * dy);
    if (length < 1) { // to itself: a loop on top
        printf("<path d=\"M %.1f %.1f c -26 -30, 26 -30, 12 -1\" fill=\"none\" stroke=\"#444\"%s "
               "marker-end=\"url(#tip)\"/>\n",
               a.x - 6, a.y - BOX_HEIGHT / 2.0, dash);
        draw_label((spot){a.x + 24, a.y - BOX_HEIGHT / 2.0 - 8}, t->weight);
        return;
    }
    spot middle = {(a.x + b.x) / 2 - 0.12 * dy, (a.y + b.y) / 2 + 0.12 * dx};
    spot from = leave(a, middle), to = leave(b, middle);
    printf("<path d=\"M %.1f %.1f Q %.1f %.1f, %.1f %.1f\" fill=\"none\" stroke=\"#444\"%s "
           "marker-end=\"url(#tip)\"/>\n",
           from.x, from.y, middle.x, middle.y, to.x, to.y, dash);
    draw_label((spot){0.6 * from.x + 0.4 * middle.x, 0.6 * from.y + 0.4 * middle.y}, t->weight);
}

// A name as the text of an XML element.
static void print_name(const char *name)
{
    for (const char *c = shown(name); *c; c++) {
        if (*c == '<' || *c == '>' || *c == '&') {
            printf("&#%d;", *c);
        } else {
            putchar(*c);
        }
    }
}

// Text that is a Skill's name or kind, around the middle of its box.
static void draw_text(spot at, const char *style, const char *text)
{
    printf("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" %s>", at.x, at.y, style);
    print_name(text);
    printf("</text>\n");
}

static void draw_skill(const cr_model *model, int tactic, int skill, spot at)
{
    bool start = cr_model_tactic(model, tactic)->start == skill;
    printf("<rect x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%d\" rx=\"8\" fill=\"#eef4fb\" "
           "stroke=\"#245\" stroke-width=\"%d\"/>\n",
           at.x - BOX_WIDTH / 2.0, at.y - BOX_HEIGHT / 2.0, BOX_WIDTH, BOX_HEIGHT, start ? 3 : 1);
    draw_text((spot){at.x, at.y - 2}, "font-weight=\"bold\"",
              cr_model_skill_name(model, tactic, skill));
    draw_text((spot){at.x, at.y + 13}, "fill=\"#567\" font-size=\"11\"",
              cr_model_skill_does(model, tactic, skill));
}

static void print_owner(const cr_model *model, const cr_tactic *info)
{
    print_name(info->name);
    printf(", of ");
    print_name(cr_model_body(model, info->body)->name);
}

static void draw_tactic(const cr_model *model, int tactic, int panel)
{
    const cr_tactic *info = cr_model_tactic(model, tactic);
    printf("<text x=\"12\" y=\"%d\" font-size=\"15\">", panel * PANEL_HEIGHT + 22);
    print_owner(model, info);
    printf("</text>\n");
    for (int i = 0; i < info->skill_count; i++) {
        spot from = skill_spot(i, info->skill_count, panel);
        for (int k = 0; k < cr_model_transition_count(model, tactic, i); k++) {
            cr_transition t = cr_model_transition(model, tactic, i, k);
            draw_arrow(from, skill_spot(t.to, info->skill_count, panel), &t);
        }
    }
    for (int i = 0; i < info->skill_count; i++) {
        draw_skill(model, tactic, i, skill_spot(i, info->skill_count, panel));
    }
}

// A Tactic of one Skill.
static void draw_row(const cr_model *model, int tactic, int y)
{
    printf("<text x=\"12\" y=\"%d\">", y);
    print_owner(model, cr_model_tactic(model, tactic));
    printf(": always ");
    print_name(cr_model_skill_name(model, tactic, 0));
    printf(" (");
    print_name(cr_model_skill_does(model, tactic, 0));
    printf(")</text>\n");
}

static void draw(const cr_model *model)
{
    int panels = 0, rows = 0, count = cr_model_tactic_count(model);
    for (int i = 0; i < count; i++) {
        *(cr_model_tactic(model, i)->skill_count > 1 ? &panels : &rows) += 1;
    }
    printf("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
           "font-family=\"sans-serif\" font-size=\"13\">\n"
           "<defs><marker id=\"tip\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" "
           "markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\">"
           "<path d=\"M0 0L10 5L0 10z\" fill=\"#444\"/></marker></defs>\n"
           "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
           PANEL_WIDTH, panels * PANEL_HEIGHT + (rows + 1) * ROW);
    int panel = 0, row = 0;
    for (int i = 0; i < count; i++) {
        const cr_tactic *info = cr_model_tactic(model, i);
        if (info->skill_count > 1) {
            draw_tactic(model, i, panel++);
        } else {
            draw_row(model, i, panels * PANEL_HEIGHT + ++row * ROW);
        }
    }
    printf("</svg>\n");
}

int list_tactics(const list_ask *ask)
{
    if (!ask->word) {
        fprintf(stderr, "carom: whose Tactics? carom list tactics SCENE\n");
        return EXIT_USAGE;
    }
    search asked = {.library = ask->library};
    cr_model *model = NULL;
    cr_planner_def def;
    int code = search_load(&asked, ask->word, &model, &def);
    if (code >= 0) {
        return code;
    }
    draw(model);
    cr_model_destroy(model);
    return EXIT_DONE;
}
