// The header's members for what dresses a playback: goals, Tactics, finishes and marks.
#include "export/export.h"

static void add_numbers(cri_text *out, const char *name, const double *values, int count)
{
    cri_text_add(out, ",\"%s\":[", name);
    for (int i = 0; i < count; i++) {
        cri_text_add(out, i ? "," : "");
        cri_text_add_number(out, values[i]);
    }
    cri_text_add(out, "]");
}

static const char *kind_name(cr_mark_kind kind)
{
    switch (kind) {
    case CR_MARK_LINE:
        return "line";
    case CR_MARK_BOX:
        return "box";
    case CR_MARK_CIRCLE:
        return "circle";
    case CR_MARK_DISC:
        return "disc";
    case CR_MARK_PATCH:
        return "patch";
    case CR_MARK_BLOCK:
        return "block";
    case CR_MARK_POST:
        return "post";
    case CR_MARK_ROAD:
        return "road";
    case CR_MARK_ROPE:
        return "rope";
    }
    return "";
}

static void add_mark(cri_text *out, const cr_mark *mark)
{
    cri_text_add(out, "{\"kind\":\"%s\",\"finish\":\"%s\",\"color\":%u,\"body\":%d",
                 kind_name(mark->kind), cr_finish_name(mark->finish),
                 (unsigned)mark->color & 0xFFFFFFu, mark->body);
    if (mark->kind == CR_MARK_ROPE) {
        cri_text_add(out, ",\"other\":%d", mark->other);
    }
    add_numbers(out, "at", (double[]){mark->at.x, mark->at.y, mark->at.z}, 3);
    add_numbers(out, "size", (double[]){mark->size.x, mark->size.y, mark->size.z}, 3);
    add_numbers(out, "arc", (double[]){mark->from, mark->to}, 2);
    cri_text_add(out, ",\"heading\":");
    cri_text_add_number(out, mark->heading);
    cri_text_add(out, ",\"width\":");
    cri_text_add_number(out, mark->width);
    cri_text_add(out, ",\"closed\":%s,\"points\":[", mark->closed ? "true" : "false");
    for (int i = 0; i < mark->point_count; i++) {
        const cr_vec3 *p = &mark->points[i];
        cri_text_add(out, "%s[%.5g,%.5g,%.5g]", i ? "," : "", p->x, p->y, p->z);
    }
    cri_text_add(out, "]}");
}

static void add_tactic(cri_text *out, const cr_playback_tactic *tactic)
{
    cri_text_add(out, "{\"name\":");
    cri_text_add_name(out, CRI_NAME_JSON, tactic->name);
    cri_text_add(out, ",\"body\":%d,\"start\":%d,\"skills\":[", tactic->body, tactic->start);
    for (int i = 0; i < tactic->skill_count; i++) {
        cri_text_add(out, i ? "," : "");
        cri_text_add_name(out, CRI_NAME_JSON, tactic->skills[i]);
    }
    cri_text_add(out, "],\"ways\":[");
    for (int i = 0; i < tactic->way_count; i++) {
        cri_text_add(out, "%s[%d,%d]", i ? "," : "", tactic->ways[2 * i], tactic->ways[2 * i + 1]);
    }
    cri_text_add(out, "]}");
}

void cri_blob_add_decor(cri_text *out, const cr_playback *playback)
{
    const cr_decor *decor = &playback->decor;
    cri_text_add(out, ",\"goals\":[");
    for (int i = 0; i < playback->goal_count; i++) {
        cri_text_add(out, i ? ",%d" : "%d", playback->goals[i]);
    }
    cri_text_add(out, "],\"tactics\":[");
    for (int i = 0; i < playback->tactic_count; i++) {
        cri_text_add(out, i ? "," : "");
        add_tactic(out, &playback->tactics[i]);
    }
    cri_text_add(out, "],\"dresses\":[");
    for (int i = 0; i < decor->dress_count; i++) {
        cri_text_add(out, "%s{\"body\":%d,\"finish\":\"%s\",\"number\":%d}", i ? "," : "",
                     decor->dresses[i].body, cr_finish_name(decor->dresses[i].finish),
                     decor->dresses[i].number);
    }
    cri_text_add(out, "],\"marks\":[");
    for (int i = 0; i < decor->mark_count; i++) {
        cri_text_add(out, i ? "," : "");
        add_mark(out, &decor->marks[i]);
    }
    cri_text_add(out, "]");
}
