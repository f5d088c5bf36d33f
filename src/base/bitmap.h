// Small pictures in shades of gray: .pbm and .png files, words in letters of our own, and a line of
// text that says the same as either.
//
//     cells:0000/0990/0990/0000        rows from the top, a digit a cell: 0 white, 9 black
#ifndef CRI_BITMAP_H
#define CRI_BITMAP_H

#include <stddef.h>
#include <stdint.h>

#include "base/file.h"
#include "base/report.h"

// Cells a side, at most: larger pictures are made smaller, by whole factors.
enum { CRI_BITMAP_MAX = 128 };

typedef struct cri_bitmap {
    int width, height;
    uint8_t *dark; // malloc; row by row from the top, 0 to 9
} cri_bitmap;

void cri_bitmap_free(cri_bitmap *bitmap);

// True for the names of files that cri_bitmap_read takes: .pbm and .png.
bool cri_bitmap_is_file(const char *name);

// Read a file. place: where it is named.
cr_status cri_bitmap_read(const char *path, cri_location place, cri_bitmap *bitmap,
                          cr_report *report);

// What a text means: cells, if it begins so, else the word itself in letters. place: where it
// stands.
cr_status cri_bitmap_parse(const char *text, cri_location place, cri_bitmap *bitmap,
                           cr_report *report);

// As a line of text.
void cri_bitmap_print(const cri_bitmap *bitmap, cri_text *text);

// The letters of a word: five by seven cells each, one between two; an underscore ends a line.
// Returns CR_ERR_TYPE where there is no such letter, CR_ERR_RANGE where nothing is black or it is
// too long. (letters.c)
cr_status cri_bitmap_spell(const char *word, cri_bitmap *bitmap);

// Room for a picture, all white. (bitmap.c)
cr_status cri_bitmap_make(int width, int height, cri_bitmap *bitmap);

#endif
