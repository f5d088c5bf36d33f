// What the writers of pictures and animation files share. Each writer turns a checked playback into
// the bytes of one file; playback.c picks the writer and puts the bytes on disk.
#ifndef CRI_EXPORT_H
#define CRI_EXPORT_H

#include "base/file.h"
#include "carom/playback.h"

// ---------------------------------------------------------------------------------------------
// Writers. All take a playback that passed cri_playback_check and add the file to `out`; running
// out of memory shows in out->failed.

cr_status cri_write_html(const cr_playback *playback, cri_text *out, cr_report *report);
cr_status cri_write_glb(const cr_playback *playback, cri_text *out, cr_report *report);
cr_status cri_write_svg(const cr_playback *playback, cri_text *out, cr_report *report);
cr_status cri_write_states(const cr_playback *playback, cri_text *out, cr_report *report);
cr_status cri_write_actions(const cr_playback *playback, cri_text *out, cr_report *report);
cr_status cri_write_contacts(const cr_playback *playback, cri_text *out, cr_report *report);
cr_status cri_write_channels(const cr_playback *playback, cri_text *out, cr_report *report);
cr_status cri_write_skills(const cr_playback *playback, cri_text *out, cr_report *report);
cr_status cri_write_inputs(const cr_playback *playback, cri_text *out, cr_report *report);

// Decor, goals and Tactics, as members of the header of the page.
void cri_blob_add_decor(cri_text *out, const cr_playback *playback);

// The playback in the binary format of docs/playback-format.md, before it is compressed.
void cri_blob_make(const cr_playback *playback, cri_text *out);

// ---------------------------------------------------------------------------------------------
// Checks and geometry.

// Every index in range, every number finite: the writers rely on it.
cr_status cri_playback_check(const cr_playback *playback, cr_report *report);

// An axis-aligned box.
typedef struct cri_bounds {
    cr_vec3 low, high;
} cri_bounds;

// The box around everything but planes, in all frames of the first world_count worlds; two metres
// around the origin if there is nothing.
cri_bounds cri_playback_bounds(const cr_playback *playback, int world_count);

// The pose of a body in a frame of a world; its only pose if it does not move.
cr_pose cri_playback_pose(const cr_playback *playback, const cr_playback_body *body,
                          const cr_playback_world *world, int frame);

// Half the side of the square as which an endless plane is drawn.
double cri_plane_half(cri_bounds bounds);

// Four bytes, lowest first.
static inline void cri_text_add_u32(cri_text *text, uint32_t value)
{
    unsigned char bytes[4];
    for (int i = 0; i < 4; i++) {
        bytes[i] = (unsigned char)(value >> 8 * i);
    }
    cri_text_add_bytes(text, bytes, 4);
}

// ---------------------------------------------------------------------------------------------
// Names come from strangers: bytes that are not UTF-8 and control characters become U+FFFD, and
// what the format gives a meaning is escaped.

typedef enum cri_name_style {
    CRI_NAME_JSON, // with its quotes
    CRI_NAME_XML,  // for text and attributes
    CRI_NAME_CSV,  // with quotes where it needs them
} cri_name_style;

// name may be NULL, which reads as "".
void cri_text_add_name(cri_text *text, cri_name_style style, const char *name);

#endif
