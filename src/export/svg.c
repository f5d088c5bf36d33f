// The first world from above, for papers: regions tinted, fixed bodies grey-bordered, each moving
// body at its start (pale) and end with its path between, contacts as small rings, a scale bar.
//
// Units are those of the drawing: the longer side of the scene is LONG_SIDE wide, y points down.
// A body's outline is the convex hull of its part's corners as seen from above.

#include "export/export.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/trig.h"
#include "base/vec.h"

#define LONG_SIDE 800.0
#define MARGIN    24.0
#define FOOT      28.0 // room for the scale bar
#define AROUND    32
#define PATH_STEP 0.25 // points of a path nearer than this to the one before are left out

typedef struct drawing {
    const cr_playback *playback;
    const cr_playback_world *world;
    cri_text *out;
    double scale, left, top; // drawing units a metre; the world's corner
    double width, height;
} drawing;

typedef struct hull {
    int count;
    cr_vec2 points[4 * CR_PRISM_MAX_POINTS];
} hull;

static cr_vec2 place(const drawing *d, cr_vec3 p)
{
    return (cr_vec2){MARGIN + (p.x - d->left) * d->scale, MARGIN + (d->top - p.y) * d->scale};
}

// ---------------------------------------------------------------------------------------------
// Outlines from above.

static int left_to_right(const void *a, const void *b)
{
    const cr_vec2 *p = a, *q = b;
    return p->x != q->x ? (p->x > q->x) - (p->x < q->x) : (p->y > q->y) - (p->y < q->y);
}

static double turn(cr_vec2 a, cr_vec2 b, cr_vec2 c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static int push_convex(cr_vec2 *chain, int count, int floor, cr_vec2 p)
{
    while (count >= floor + 2 && turn(chain[count - 2], chain[count - 1], p) <= 0) {
        count--;
    }
    chain[count] = p;
    return count + 1;
}

// Andrew's monotone chain: the lower side left to right, the upper side back.
static hull convex_hull(cr_vec2 *points, int count)
{
    hull h = {0};
    qsort(points, (size_t)count, sizeof *points, left_to_right);
    for (int i = 0; i < count; i++) {
        h.count = push_convex(h.points, h.count, 0, points[i]);
    }
    int floor = h.count - 1;
    for (int i = count - 2; i >= 0; i--) {
        h.count = push_convex(h.points, h.count, floor, points[i]);
    }
    h.count--;
    return h;
}

static int outline_count(const cr_shape *shape)
{
    return shape->kind == CR_SHAPE_BOX     ? 4
           : shape->kind == CR_SHAPE_PRISM ? shape->point_count
                                           : AROUND;
}

static cr_vec2 outline_point(const cr_shape *shape, int i)
{
    if (shape->kind == CR_SHAPE_PRISM) {
        return shape->points[i];
    }
    if (shape->kind == CR_SHAPE_BOX) {
        return (cr_vec2){i == 1 || i == 2 ? shape->half.x : -shape->half.x,
                         i >= 2 ? shape->half.y : -shape->half.y};
    }
    double angle = 2 * CRI_PI * i / AROUND;
    return (cr_vec2){shape->radius * cri_cos(angle), shape->radius * cri_sin(angle)};
}

// A circle about each end of a capsule, or the corners of a hull. Returns how many.
static int place_round(const drawing *d, const cr_shape *shape, cr_pose pose, cr_vec2 *points)
{
    if (shape->kind == CR_SHAPE_HULL) {
        for (int i = 0; i < shape->hull->corner_count; i++) {
            points[i] = place(d, cri_pose_point(pose, shape->hull->corners[i]));
        }
        return shape->hull->corner_count;
    }
    int count = 0;
    for (int side = -1; side <= 1; side += 2) {
        cr_vec3 end = cri_pose_point(pose, cri_vec3(0, 0, side * shape->half.z));
        for (int i = 0; i < AROUND; i++) {
            cr_vec2 p = outline_point(shape, i);
            points[count++] = place(d, cri_add(end, cri_vec3(p.x, p.y, 0)));
        }
    }
    return count;
}

static hull shape_hull(const drawing *d, const cr_shape *shape, cr_pose pose)
{
    cr_vec2 points[2 * CR_PRISM_MAX_POINTS];
    int count = outline_count(shape), all = 0;
    bool flat = shape->kind == CR_SHAPE_SPHERE || isinf(shape->half.z);
    if (shape->kind == CR_SHAPE_SPHERE) {
        pose.rotation = (cr_quat){0, 0, 0, 1};
    }
    if (shape->kind == CR_SHAPE_CAPSULE || shape->kind == CR_SHAPE_HULL) {
        return convex_hull(points, place_round(d, shape, pose, points));
    }
    for (int i = 0; i < count; i++) {
        cr_vec2 p = outline_point(shape, i);
        for (int side = -1; side <= 1; side += 2) {
            double z = flat ? 0 : side * shape->half.z;
            points[all++] = place(d, cri_pose_point(pose, cri_vec3(p.x, p.y, z)));
        }
    }
    return convex_hull(points, all);
}

static void add_hull(const drawing *d, const hull *h, const char *style)
{
    cri_text_add(d->out, "<path d=\"");
    for (int i = 0; i < h->count; i++) {
        cri_text_add(d->out, "%c%.2f %.2f", i ? 'L' : 'M', h->points[i].x, h->points[i].y);
    }
    cri_text_add(d->out, "Z\" %s/>\n", style);
}

// ---------------------------------------------------------------------------------------------
// What is drawn, from the ground up.

static void add_title(const drawing *d, const char *name)
{
    cri_text_add(d->out, "<title>");
    cri_text_add_name(d->out, CRI_NAME_XML, name);
    cri_text_add(d->out, "</title>");
}

static void draw_regions(const drawing *d)
{
    cri_text_add(d->out, "<g id=\"regions\" fill=\"#3a7d6b\" fill-opacity=\"0.16\" "
                         "stroke=\"#3a7d6b\" stroke-dasharray=\"4 3\">\n");
    for (int r = 0; r < d->playback->region_count; r++) {
        const cr_region *region = &d->playback->regions[r];
        if (region->shape.kind != CR_SHAPE_PLANE) {
            hull h = shape_hull(d, &region->shape, region->pose);
            cri_text_add(d->out, "<g>");
            add_title(d, region->name);
            add_hull(d, &h, "");
            cri_text_add(d->out, "</g>\n");
        }
    }
    cri_text_add(d->out, "</g>\n");
}

// White lines are drawn grey: paper is white.
static unsigned line_color(uint32_t color)
{
    bool pale = ((color >> 16) & 255) + ((color >> 8) & 255) + (color & 255) > 700;
    return pale ? 0x999999u : (unsigned)color & 0xFFFFFFu;
}

static void draw_lines(const drawing *d)
{
    cri_text_add(d->out, "<g id=\"lines\" fill=\"none\">\n");
    for (int l = 0; l < d->playback->line_count; l++) {
        const cr_playback_line *line = &d->playback->lines[l];
        cri_text_add(d->out, "<path stroke=\"#%06x\" d=\"", line_color(line->color));
        for (int i = 0; i < line->point_count; i++) {
            cr_vec2 p = place(d, line->points[i]);
            cri_text_add(d->out, "%c%.2f %.2f", i ? 'L' : 'M', p.x, p.y);
        }
        cri_text_add(d->out, "%s\">", line->closed && line->point_count > 0 ? "Z" : "");
        add_title(d, line->name);
        cri_text_add(d->out, "</path>\n");
    }
    cri_text_add(d->out, "</g>\n");
}

static void draw_body(const drawing *d, const cr_playback_body *body, cr_pose pose)
{
    cri_text_add(d->out, "<g fill=\"#%06x\">", (unsigned)body->color & 0xFFFFFFu);
    add_title(d, body->name);
    for (int i = 0; i < body->part_count; i++) {
        const cr_part *part = &body->parts[i];
        if (part->shape.kind != CR_SHAPE_PLANE) {
            hull h = shape_hull(d, &part->shape, cri_pose_mul(pose, part->pose));
            add_hull(d, &h, "");
        }
    }
    cri_text_add(d->out, "</g>\n");
}

typedef struct layer {
    const char *attributes;
    bool moving;
    int frame;
} layer;

static void draw_bodies(const drawing *d, layer l)
{
    cri_text_add(d->out, "<g %s stroke=\"#222\" stroke-width=\"0.6\">\n", l.attributes);
    for (int b = 0; b < d->playback->body_count; b++) {
        const cr_playback_body *body = &d->playback->bodies[b];
        if (body->moving == l.moving) {
            draw_body(d, body, cri_playback_pose(d->playback, body, d->world, l.frame));
        }
    }
    cri_text_add(d->out, "</g>\n");
}

static void draw_path(const drawing *d, const cr_playback_body *body)
{
    cri_text_add(d->out, "<path stroke=\"#%06x\" d=\"", (unsigned)body->color & 0xFFFFFFu);
    cr_vec2 last = {-HUGE_VAL, -HUGE_VAL};
    for (int f = 0; f < d->world->frame_count; f++) {
        cr_vec2 p = place(d, cri_playback_pose(d->playback, body, d->world, f).position);
        bool near = fabs(p.x - last.x) < PATH_STEP && fabs(p.y - last.y) < PATH_STEP;
        if (f == 0 || f + 1 == d->world->frame_count || !near) {
            cri_text_add(d->out, "%c%.2f %.2f", f ? 'L' : 'M', p.x, p.y);
            last = p;
        }
    }
    cri_text_add(d->out, "\">");
    add_title(d, body->name);
    cri_text_add(d->out, "</path>\n");
}

static void draw_paths(const drawing *d)
{
    cri_text_add(d->out, "<g id=\"paths\" fill=\"none\" stroke-width=\"1.6\" "
                         "stroke-linejoin=\"round\" stroke-linecap=\"round\">\n");
    for (int b = 0; b < d->playback->body_count; b++) {
        if (d->playback->bodies[b].moving) {
            draw_path(d, &d->playback->bodies[b]);
        }
    }
    cri_text_add(d->out, "</g>\n");
}

static bool is_plane(const cr_playback_body *body)
{
    return body->part_count > 0 && body->parts[0].shape.kind == CR_SHAPE_PLANE;
}

// What rolls touches the ground in every frame; only contacts with things that stand out count.
static void draw_contacts(const drawing *d)
{
    cri_text_add(d->out, "<g id=\"contacts\" fill=\"#fff\" stroke=\"#222\">\n");
    for (int i = 0; i < d->world->contact_count; i++) {
        const cr_playback_contact *contact = &d->world->contacts[i];
        if (is_plane(&d->playback->bodies[contact->a]) ||
            is_plane(&d->playback->bodies[contact->b])) {
            continue;
        }
        cr_vec2 p = place(d, contact->point);
        cri_text_add(d->out, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"2.2\"/>\n", p.x, p.y);
    }
    cri_text_add(d->out, "</g>\n");
}

// A round number of metres, about a fifth of the width.
static double bar_length(double width)
{
    double ten = 1;
    while (ten * 10 <= width / 5) {
        ten *= 10;
    }
    while (ten > width / 5) {
        ten /= 10;
    }
    return ten * 5 <= width / 5 ? ten * 5 : (ten * 2 <= width / 5 ? ten * 2 : ten);
}

static void draw_scale(const drawing *d)
{
    double metres = bar_length((d->width - 2 * MARGIN) / d->scale);
    double y = d->height - 14;
    cri_text_add(d->out,
                 "<g id=\"scale\" font-family=\"sans-serif\" font-size=\"12\">"
                 "<path d=\"M%.2f %.2fv-5v5h%.2fv-5\" fill=\"none\" stroke=\"#222\"/>"
                 "<text x=\"%.2f\" y=\"%.2f\" fill=\"#222\">%g m</text></g>\n",
                 MARGIN, y, metres * d->scale, MARGIN + metres * d->scale + 6, y, metres);
}

static drawing make_drawing(const cr_playback *playback, cri_text *out)
{
    cri_bounds b = cri_playback_bounds(playback, 1);
    double wide = fmax(b.high.x - b.low.x, 1e-3), high = fmax(b.high.y - b.low.y, 1e-3);
    double scale = LONG_SIDE / fmax(wide, high);
    return (drawing){.playback = playback,
                     .world = &playback->worlds[0],
                     .out = out,
                     .scale = scale,
                     .left = b.low.x,
                     .top = b.high.y,
                     .width = fmax(wide * scale, 120) + 2 * MARGIN,
                     .height = high * scale + 2 * MARGIN + FOOT};
}

cr_status cri_write_svg(const cr_playback *playback, cri_text *out, cr_report *report)
{
    (void)report;
    drawing d = make_drawing(playback, out);
    cri_text_add(out,
                 "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.2f %.2f\" "
                 "width=\"%.2f\" height=\"%.2f\">\n",
                 d.width, d.height, d.width, d.height);
    add_title(&d, playback->title);
    cri_text_add(out, "\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n");
    draw_regions(&d);
    draw_lines(&d);
    draw_bodies(&d, (layer){"id=\"fixed\"", false, 0});
    draw_bodies(&d, (layer){"id=\"start\" opacity=\"0.35\"", true, 0});
    draw_paths(&d);
    draw_bodies(&d, (layer){"id=\"end\"", true, d.world->frame_count - 1});
    draw_contacts(&d);
    draw_scale(&d);
    cri_text_add(out, "</svg>\n");
    return CR_OK;
}
