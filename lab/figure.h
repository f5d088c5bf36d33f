// Figures: lines in a frame, as SVG, with bars for how far chance reaches where there are any.
#ifndef LAB_FIGURE_H
#define LAB_FIGURE_H

#include <stdbool.h>

enum { POINTS_MAX = 128, LINES_MAX = 8 };

typedef struct series {
    char name[64];
    int count;
    double x[POINTS_MAX], y[POINTS_MAX];
    double low[POINTS_MAX], high[POINTS_MAX]; // the interval of y; both y: none
} series;

typedef struct figure {
    const char *title, *x_label, *y_label;
    bool log_x;
    int count;
    series lines[LINES_MAX];
} figure;

// Another line, of the name first + second.
series *add_series(figure *f, const char *first, const char *second);

// Another point; what there is no room for is left out.
void add_point(series *s, double x, double y);
void add_barred_point(series *s, double x, double y, double low, double high);

// Write it to folder/name.svg and say so on stdout. Returns -1, or an exit code after a message.
int write_figure(const figure *f, const char *folder, const char *name);

#endif
