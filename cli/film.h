// Films and pictures: a page is played in a headless browser, frame by frame, and ffmpeg makes a
// film of the frames. Both are programs of the system; where one is missing, a message says which.
#ifndef FILM_H
#define FILM_H

#include <stdint.h>

#include "terminal/terminal.h"

typedef struct film {
    const char *size;   // "1280x720"; NULL: by the ending
    int64_t fps;        // 0: by the ending
    double at;          // s, of a picture; < 0: in the middle
    double speed;       // 1: as it happens
    const char *camera; // free, follow, ride, eyes, around or top; NULL: the page's own
    const char *tint;   // of the paths; NULL: the page's own
    bool slow, dark, tree;
} film;

film film_default(void);

// True for .mp4, .webm, .gif and .png.
bool is_film(const char *path);

// Whether all is there that it takes to write the film; -1, or the exit code after a message.
int film_try(const char *path, const film *how);

// The film of a page; -1, or the exit code after a message.
int film_write(const char *page, const char *path, const film *how);

// The film of a playback, with a page on the way that is gone afterwards.
int film_of(const cr_playback *playback, const char *path, const film *how);

#endif
