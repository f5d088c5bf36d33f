// One page that needs nothing else: the viewer's template with the title and the playback put in.
//
// The playback goes in as deflated bytes in base64, whose letters mean nothing to HTML; the title
// is escaped. So no name of a scene can end a script or start one.

#include "export/export.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "export/page.h"

static void add_base64(cri_text *out, const unsigned char *data, size_t length)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < length; i += 3) {
        uint32_t word = (uint32_t)data[i] << 16;
        word |= i + 1 < length ? (uint32_t)data[i + 1] << 8 : 0;
        word |= i + 2 < length ? (uint32_t)data[i + 2] : 0;
        char four[4] = {letters[word >> 18], letters[(word >> 12) & 63],
                        i + 1 < length ? letters[(word >> 6) & 63] : '=',
                        i + 2 < length ? letters[word & 63] : '='};
        cri_text_add_bytes(out, four, 4);
    }
}

static cr_status add_playback(const cr_playback *playback, cri_text *out, cr_report *report)
{
    cri_text blob = {0};
    cri_blob_make(playback, &blob);
    uLongf length = compressBound((uLong)blob.length);
    unsigned char *packed = blob.failed ? NULL : malloc(length);
    bool done = packed && compress2(packed, &length, (const unsigned char *)blob.data,
                                    (uLong)blob.length, Z_BEST_COMPRESSION) == Z_OK;
    if (done) {
        add_base64(out, packed, length);
    }
    free(packed);
    cri_text_free(&blob);
    return done ? CR_OK : cri_fail_memory(report);
}

// Copy the template up to the mark, which it has, and step over it.
static void copy_to(cri_text *out, const char **at, const char *mark)
{
    const char *found = strstr(*at, mark);
    assert(found);
    cri_text_add_bytes(out, *at, (size_t)(found - *at));
    *at = found + strlen(mark);
}

cr_status cri_write_html(const cr_playback *playback, cri_text *out, cr_report *report)
{
    const char *at = cri_page;
    copy_to(out, &at, "%CAROM_TITLE%");
    cri_text_add_name(out, CRI_NAME_XML, playback->title);
    copy_to(out, &at, "%CAROM_PLAYBACK%");
    cr_status status = add_playback(playback, out, report);
    cri_text_add_bytes(out, at, strlen(at));
    return status;
}
