// Showing a fit: text, JSON, a picture.
#include "fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "terminal/json.h"

static cr_recording_notes sum_notes(const fit_data *data)
{
    cr_recording_notes sum = {0};
    for (int i = 0; i < data->count; i++) {
        cr_recording_notes n = cr_recording_get_notes(data->all[i]);
        sum.samples += n.samples;
        sum.gaps += n.gaps;
        sum.duplicates += n.duplicates;
        sum.outliers += n.outliers;
        sum.switches += n.switches;
    }
    return sum;
}

// ---------------------------------------------------------------------------------------------
// Text.

static void print_error(const char *what, const cr_fit_error *before, const cr_fit_error *after)
{
    printf("%s: error %.4f -> %.4f (velocity %.4f -> %.4f, angle %.4f -> %.4f, position %.4f -> "
           "%.4f m)\n",
           what, before->total, after->total, before->velocity, after->velocity, before->angle,
           after->angle, before->metres, after->metres);
}

static void print_coefficients(const fit_summary *s)
{
    const cr_determination *d = &s->determination;
    printf("%-28s %10s %10s %10s\n", "", "before", "after", "+-");
    for (int i = 0; i < d->coefficient_count; i++) {
        const cr_coefficient *c = &d->coefficients[i];
        char before[24] = "", spread[24] = "?";
        if (c->parameter && i < cr_fit_parameter_count(s->fit)) {
            snprintf(before, sizeof before, "%.4g", cr_fit_parameter_at(s->fit, i).value);
        }
        if (isfinite(c->deviation)) {
            snprintf(spread, sizeof spread, "%.2g", c->deviation);
        }
        printf("%-28s %10s %10.4g %10s%s\n", shown(c->name), before, c->value, spread,
               c->determined ? "" : "  not determined");
    }
}

static void print_direction(const fit_summary *s, const cr_direction *d)
{
    if (isfinite(d->deviation)) {
        printf("ill-determined, +- %.2g:", d->deviation);
    } else {
        printf("not determined at all:");
    }
    for (int i = 0; i < cr_fit_parameter_count(s->fit); i++) {
        if (fabs(d->shares[i]) >= 0.2) {
            printf(" %+.2f %s", d->shares[i], shown(cr_fit_parameter_at(s->fit, i).name));
        }
    }
    putchar('\n');
}

static void print_text(const fit_summary *s, const fit_data *data)
{
    cr_recording_notes n = sum_notes(data);
    printf("%d recordings with %d samples; mended: %d gaps, %d duplicates, %d outliers, %d camera "
           "switches\n",
           data->count, n.samples, n.gaps, n.duplicates, n.outliers, n.switches);
    print_error("fitted", &s->result.before, &s->result.after);
    if (data->held_count > 0) {
        print_error("held out", &s->held_before, &s->held_after);
    }
    print_coefficients(s);
    for (int i = 0; i < s->determination.direction_count; i++) {
        print_direction(s, &s->determination.directions[i]);
    }
    if (s->output) {
        printf("wrote %s\n", shown(s->output));
    }
    fprintf(stderr, "%lld evaluations in %.1f s\n", (long long)s->result.evaluations,
            now_seconds() - s->started);
}

// ---------------------------------------------------------------------------------------------
// JSON.

static void json_error(const char *key, const cr_fit_error *e)
{
    json_open(key, JSON_OBJECT);
    json_number("total", e->total);
    json_number("velocity", e->velocity);
    json_number("angle", e->angle);
    json_number("position", e->position);
    json_number("metres", e->metres);
    json_close();
}

static void json_coefficients(const fit_summary *s)
{
    json_open("coefficients", JSON_LIST);
    for (int i = 0; i < s->determination.coefficient_count; i++) {
        const cr_coefficient *c = &s->determination.coefficients[i];
        json_open(NULL, JSON_OBJECT);
        json_text("name", c->name);
        json_number("value", c->value);
        json_number("deviation", c->deviation);
        json_flag("parameter", c->parameter);
        json_flag("determined", c->determined);
        json_close();
    }
    json_close();
}

static void json_directions(const fit_summary *s)
{
    json_open("directions", JSON_LIST);
    for (int i = 0; i < s->determination.direction_count; i++) {
        const cr_direction *d = &s->determination.directions[i];
        json_open(NULL, JSON_OBJECT);
        json_number("deviation", d->deviation);
        json_open("shares", JSON_LIST);
        for (int k = 0; k < cr_fit_parameter_count(s->fit); k++) {
            json_number(NULL, d->shares[k]);
        }
        json_close();
        json_close();
    }
    json_close();
}

static void print_json(const fit_summary *s, const fit_data *data)
{
    cr_recording_notes n = sum_notes(data);
    json_text("scene", cr_scene_name(cr_model_scene(s->model)));
    json_count("recordings", data->count);
    json_count("samples", n.samples);
    json_count("gaps", n.gaps);
    json_count("duplicates", n.duplicates);
    json_count("outliers", n.outliers);
    json_count("switches", n.switches);
    json_count("evaluations", s->result.evaluations);
    json_error("before", &s->result.before);
    json_error("after", &s->result.after);
    json_count("held_out", data->held_count);
    json_error("held_before", &s->held_before);
    json_error("held_after", &s->held_after);
    json_coefficients(s);
    json_directions(s);
    json_text("output", s->output);
}

void fit_print(const fit_summary *s, const fit_data *data)
{
    if (json_wanted()) {
        print_json(s, data);
    } else {
        print_text(s, data);
    }
}

// ---------------------------------------------------------------------------------------------
// The picture: two panels side by side. Recorded samples are dots, predictions lines.

enum { PANEL = 480, EDGE = 24, HEAD = 40 };

typedef struct view {
    double x0, y0, scale;
} view;

typedef struct picture {
    FILE *file;
    const fit_summary *s;
    const fit_data *data;
    cr_fit_point *points;
    view view;
} picture;

static view frame_all(const fit_data *data)
{
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    for (int i = 0; i < data->used_count; i++) {
        for (int k = 0; k < cr_recording_sample_count(data->used[i]); k++) {
            cr_vec3 p = cr_recording_sample(data->used[i], k).pose.position;
            low[0] = fmin(low[0], p.x), high[0] = fmax(high[0], p.x);
            low[1] = fmin(low[1], p.y), high[1] = fmax(high[1], p.y);
        }
    }
    double size = fmax(fmax(high[0] - low[0], high[1] - low[1]), 0.1);
    return (view){low[0], high[1], (PANEL - 2 * EDGE) / size};
}

static double at_x(const view *v, double x)
{
    return EDGE + (x - v->x0) * v->scale;
}

static double at_y(const view *v, double y)
{
    return HEAD + EDGE + (v->y0 - y) * v->scale;
}

static void draw_recording(const picture *p, int recording, const double *values)
{
    int count = cr_fit_points(p->s->fit, recording, values, p->points);
    fprintf(p->file, "<polyline points=\"");
    for (int i = 0; i < count; i++) {
        fprintf(p->file, "%.1f,%.1f ", at_x(&p->view, p->points[i].predicted.x),
                at_y(&p->view, p->points[i].predicted.y));
    }
    fprintf(p->file, "\"/>\n");
    for (int i = 0; i < count; i += 4) {
        fprintf(p->file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"1.2\"/>\n",
                at_x(&p->view, p->points[i].recorded.x), at_y(&p->view, p->points[i].recorded.y));
    }
}

static void draw_panel(const picture *p, int column, const char *title, const double *values,
                       double error)
{
    fprintf(p->file, "<svg x=\"%d\" width=\"%d\" height=\"%d\">\n", column * PANEL, PANEL,
            PANEL + HEAD);
    fprintf(p->file, "<text x=\"%d\" y=\"26\">%s: %.4f m</text>\n", EDGE, title, error);
    // A few shots are enough to see: more would hide each other.
    int step = p->data->used_count / 16 + 1;
    for (int i = 0; i < p->data->used_count; i += step) {
        draw_recording(p, i, values);
    }
    fprintf(p->file, "</svg>\n");
}

static void draw(const picture *p)
{
    double before[CR_FIT_PARAMETERS_MAX];
    for (int i = 0; i < cr_fit_parameter_count(p->s->fit); i++) {
        before[i] = cr_fit_parameter_at(p->s->fit, i).value;
    }
    fprintf(p->file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\">\n"
            "<style>polyline{fill:none;stroke:#c0392b;stroke-width:1}circle{fill:#2c3e50}"
            "text{font:16px sans-serif}</style>\n<rect width=\"100%%\" height=\"100%%\" "
            "fill=\"#fff\"/>\n",
            2 * PANEL, PANEL + HEAD, 2 * PANEL);
    draw_panel(p, 0, "before (dots: recorded, lines: predicted)", before,
               p->s->result.before.metres);
    draw_panel(p, 1, "after", p->s->result.values, p->s->result.after.metres);
    fprintf(p->file, "</svg>\n");
}

int fit_picture(const fit_summary *s, const fit_data *data, const char *path)
{
    int most = 1;
    for (int i = 0; i < data->used_count; i++) {
        int count = cr_recording_sample_count(data->used[i]);
        most = count > most ? count : most;
    }
    outfile out;
    picture p = {.file = outfile_open(&out, path), .s = s, .data = data};
    p.points = calloc((size_t)most, sizeof *p.points);
    if (!p.file || !p.points) {
        free(p.points);
        return EXIT_INTERNAL;
    }
    p.view = frame_all(data);
    draw(&p);
    free(p.points);
    return outfile_close(&out);
}
