#include "lab/figure.h"

#include <math.h>
#include <stdio.h>

#include "terminal/terminal.h"

enum { WIDTH = 640, HEIGHT = 400, LEFT = 70, RIGHT = 150, TOP = 40, BOTTOM = 50 };

static double scale_x(const figure *f, double x)
{
    return f->log_x ? log10(x) : x;
}

typedef struct frame {
    double x0, x1, y1;
} frame;

static frame frame_of(const figure *f)
{
    frame r = {HUGE_VAL, -HUGE_VAL, 1e-9};
    for (int i = 0; i < f->count; i++) {
        for (int k = 0; k < f->lines[i].count; k++) {
            r.x0 = fmin(r.x0, scale_x(f, f->lines[i].x[k]));
            r.x1 = fmax(r.x1, scale_x(f, f->lines[i].x[k]));
            r.y1 = fmax(r.y1, f->lines[i].high[k]);
        }
    }
    if (!(r.x1 > r.x0)) {
        r = (frame){0, 1, r.y1};
    }
    return r;
}

static double place_x(const frame *r, double x)
{
    return LEFT + (x - r->x0) / (r->x1 - r->x0) * (WIDTH - LEFT - RIGHT);
}

static double place_y(const frame *r, double y)
{
    return HEIGHT - BOTTOM - y / r->y1 * (HEIGHT - TOP - BOTTOM);
}

static void write_axes(FILE *file, const figure *f, const frame *r)
{
    for (int i = 0; i <= 4; i++) {
        double x = r->x0 + (r->x1 - r->x0) * i / 4, y = r->y1 * i / 4;
        fprintf(file,
                "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.3g</text>\n"
                "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.3g</text>\n"
                "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>\n",
                place_x(r, x), HEIGHT - BOTTOM + 18, f->log_x ? pow(10, x) : x, LEFT - 6,
                place_y(r, y) + 4, y, LEFT, WIDTH - RIGHT, place_y(r, y), place_y(r, y));
    }
    fprintf(file,
            "<text x=\"%d\" y=\"24\" font-size=\"15\">%s</text>\n"
            "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n"
            "<text transform=\"translate(16,%d) rotate(-90)\" text-anchor=\"middle\">%s</text>\n",
            LEFT, f->title, (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, f->x_label, HEIGHT / 2,
            f->y_label);
}

// A line through its points, with an upright stroke for the interval of each, and its name.
static void write_series(FILE *file, const figure *f, const frame *r, int index, const char *color)
{
    const series *s = &f->lines[index];
    fprintf(file, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"", color);
    for (int k = 0; k < s->count; k++) {
        fprintf(file, "%.1f,%.1f ", place_x(r, scale_x(f, s->x[k])), place_y(r, s->y[k]));
    }
    fprintf(file, "\"/>\n<text x=\"%d\" y=\"%d\" fill=\"%s\">%s</text>\n", WIDTH - RIGHT + 10,
            TOP + 10 + 18 * index, color, s->name);
    for (int k = 0; k < s->count; k++) {
        double x = place_x(r, scale_x(f, s->x[k])) + 2 * index; // beside those of other lines
        if (s->high[k] > s->low[k]) {
            fprintf(file,
                    "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" "
                    "opacity=\"0.5\"/>\n",
                    x, x, place_y(r, s->low[k]), place_y(r, s->high[k]), color);
        }
    }
}

int write_figure(const figure *f, const char *folder, const char *name)
{
    static const char *const colors[] = {"#1f77b4", "#d62728", "#2ca02c", "#9467bd",
                                         "#ff7f0e", "#8c564b", "#17becf", "#7f7f7f"};
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.svg", folder, name);
    outfile out;
    FILE *file = outfile_open(&out, path);
    if (!file) {
        return EXIT_INTERNAL;
    }
    frame r = frame_of(f);
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
            "font-family=\"sans-serif\" font-size=\"12\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
            WIDTH, HEIGHT);
    write_axes(file, f, &r);
    for (int i = 0; i < f->count; i++) {
        write_series(file, f, &r, i, colors[i]);
    }
    fprintf(file, "</svg>\n");
    int code = outfile_close(&out);
    if (code < 0) {
        printf("figure: %s\n", shown(path));
    }
    return code;
}

series *add_series(figure *f, const char *first, const char *second)
{
    series *s = &f->lines[f->count++];
    s->count = 0;
    snprintf(s->name, sizeof s->name, "%s%s", first, second);
    return s;
}

void add_barred_point(series *s, double x, double y, double low, double high)
{
    if (s->count < POINTS_MAX) {
        s->low[s->count] = low;
        s->high[s->count] = high;
        s->x[s->count] = x;
        s->y[s->count++] = y;
    }
}

void add_point(series *s, double x, double y)
{
    add_barred_point(s, x, y, y, y);
}
