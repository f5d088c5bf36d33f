// make_pages FOLDER: write the test playbacks as pages, animations, tables and drawings, and with
// each a .json of the places that a reader must find in them. A build without a page writes the
// rest.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "export/page.h"
#include "playbacks.h"

static cr_status write_as(const cr_playback *playback, const char *stem, const char *ending)
{
    char path[512];
    cr_report report = {0};
    snprintf(path, sizeof path, "%s%s", stem, ending);
    cr_status status = cr_playback_write(playback, path, &report);
    if (status != CR_OK) {
        char text[600];
        fprintf(stderr, "%s\n", cr_error_print(&report.errors[0], text, sizeof text));
    }
    return status;
}

static void add_places(cri_text *text, const cr_playback *playback, const cr_playback_world *world,
                       int frame)
{
    cri_text_add(text, "{\"frame\":%d,\"places\":[", frame);
    for (int t = 0; t < playback->track_count; t++) {
        cr_vec3 p = world->frames[frame * playback->track_count + t].position;
        cri_text_add(text, "%s[%.9g,%.9g,%.9g]", t ? "," : "", p.x, p.y, p.z);
    }
    cri_text_add(text, "]}");
}

static cr_status write_expected(const cr_playback *playback, const char *stem)
{
    char path[512];
    snprintf(path, sizeof path, "%s.json", stem);
    cri_text text = {0};
    cri_text_add(&text, "{\"worlds\":[");
    for (int w = 0; w < playback->world_count; w++) {
        const cr_playback_world *world = &playback->worlds[w];
        cri_text_add(&text, w ? ",[" : "[");
        add_places(&text, playback, world, world->frame_count / 2);
        cri_text_add(&text, ",");
        add_places(&text, playback, world, world->frame_count - 1);
        cri_text_add(&text, "]");
    }
    cri_text_add(&text, "]}\n");
    cr_status status = cr_file_write(path, text.data, text.length, NULL);
    cri_text_free(&text);
    return status;
}

static cr_status write_all(const char *folder, const char *name, cr_playback playback)
{
    static const char *const endings[] = {".html", ".glb", ".svg", ".csv"};
    char stem[480];
    snprintf(stem, sizeof stem, "%s/%s", folder, name);
    cr_status status = write_expected(&playback, stem);
    for (int i = cri_page[0] ? 0 : 1; status == CR_OK && i < 4; i++) {
        status = write_as(&playback, stem, endings[i]);
    }
    return status;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: make_pages FOLDER\n");
        return 2;
    }
    if (!cri_page[0]) {
        fprintf(stderr, "this build has no page: no .html is written\n");
    }
    cri_arena arena = {0};
    bool failed = write_all(argv[1], "golf", golf_playback(&arena, 1)) ||
                  write_all(argv[1], "worlds", golf_playback(&arena, 12)) ||
                  write_all(argv[1], "dice", dice_playback(&arena, 400, 600)) ||
                  write_all(argv[1], "tree", tree_playback(&arena, 100000)) ||
                  write_all(argv[1], "still", still_playback(&arena)) ||
                  write_all(argv[1], "race", race_playback(&arena)) ||
                  write_all(argv[1], "hostile", hostile_playback(&arena));
    cri_arena_free(&arena);
    return failed ? 1 : 0;
}
