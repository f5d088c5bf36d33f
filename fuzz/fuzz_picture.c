// Any bytes as a picture: the first says whether it is a .pbm, a .png or what a scene has as a
// text. It has as many cells as it says, each of a shade there is, or there is a message; printed
// and read again it is the same; and of what is dark, as many cells come as are asked for.
#include <string.h>

#include "base/bitmap.h"
#include "carom/carom.h"
#include "file.h"
#include "scene/pictures.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_cells(const cri_bitmap *b)
{
    enum { COUNT = 40 };
    cr_vec3 cells[COUNT];
    if (cri_picture_cells(b, COUNT, cells) != CR_OK) {
        return;
    }
    for (int i = 1; i < COUNT; i++) {
        if (cells[i].x == cells[i - 1].x && cells[i].y == cells[i - 1].y) {
            abort();
        }
    }
}

static void check(const cri_bitmap *b)
{
    cri_text text = {0};
    cri_bitmap again = {0};
    for (int i = 0; i < b->width * b->height; i++) {
        if (b->dark[i] > 9) {
            abort();
        }
    }
    cri_bitmap_print(b, &text);
    if (b->width > CRI_BITMAP_MAX || b->height > CRI_BITMAP_MAX || text.failed ||
        cri_bitmap_parse(text.data, (cri_location){0}, &again, NULL) != CR_OK ||
        again.width != b->width || again.height != b->height ||
        memcmp(again.dark, b->dark, (size_t)b->width * (size_t)b->height) != 0) {
        abort();
    }
    check_cells(b);
    cri_bitmap_free(&again);
    cri_text_free(&text);
}

static cr_status read_word(const uint8_t *data, size_t size, cri_bitmap *b, cr_report *report)
{
    char word[4097];
    size_t length = size < sizeof word - 1 ? size : sizeof word - 1;
    memcpy(word, data, length);
    word[length] = 0;
    return cri_bitmap_parse(word, (cri_location){"fuzz.yaml", 1, 1}, b, report);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    cri_bitmap b;
    cr_report report = {0};
    cr_status status;
    if (data[0] % 3 == 2) {
        status = read_word(data + 1, size - 1, &b, &report);
    } else {
        fuzz_file file = file_of(data + 1, size - 1, data[0] % 3 ? ".png" : ".pbm");
        status = cri_bitmap_read(file.path, (cri_location){"fuzz.yaml", 1, 1}, &b, &report);
        remove_file(&file);
    }
    if (status == CR_OK ? !b.dark || report.count > 0 : report.count == 0) {
        abort();
    }
    if (status == CR_OK) {
        check(&b);
    }
    cri_bitmap_free(&b);
    return 0;
}
