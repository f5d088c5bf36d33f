#include "base/bitmap.h"

#include <stdlib.h>
#include <string.h>

#include <zlib.h>

// Of files. A row of a PNG has at most eight bytes a pixel.
enum { FILE_MAX = 16 << 20, SIDE_MAX = 4096, PIXELS_MAX = 4 << 20 };

// What a file said, in full: lightness 0 to 255 of each pixel, from the top.
typedef struct image {
    int width, height;
    uint8_t *light; // malloc
    const char *problem;
    bool no_memory;
} image;

static void *take(image *m, size_t size)
{
    void *memory = malloc(size ? size : 1);
    m->no_memory = m->no_memory || !memory;
    return memory;
}

static bool make_image(image *m, uint32_t width, uint32_t height)
{
    if (width == 0 || height == 0 || width > SIDE_MAX || height > SIDE_MAX ||
        (uint64_t)width * height > PIXELS_MAX) {
        m->problem = "a picture must have 1 to 4096 pixels a side, and at most 4194304";
        return false;
    }
    m->width = (int)width, m->height = (int)height;
    m->light = take(m, (size_t)width * height);
    return m->light;
}

// ---------------------------------------------------------------------------------------------
// PBM: "P1" or "P4", width and height, then digits, or bits of rows that begin at a byte; 1 is
// black. # begins a comment.

typedef struct bytes {
    const unsigned char *at, *end;
} bytes;

static void skip_blank(bytes *b)
{
    while (b->at < b->end && (*b->at == '#' || memchr(" \t\r\n\v\f", *b->at, 6))) {
        bool comment = *b->at == '#';
        while (comment && b->at < b->end && *b->at != '\n') {
            b->at++;
        }
        b->at += b->at < b->end;
    }
}

// 0 where there is no number, or one that is too large.
static uint32_t read_size(bytes *b)
{
    uint32_t value = 0;
    skip_blank(b);
    for (; b->at < b->end && *b->at >= '0' && *b->at <= '9'; b->at++) {
        value = value > SIDE_MAX ? value : 10 * value + (uint32_t)(*b->at - '0');
    }
    return value;
}

static void read_digits(bytes *b, image *m)
{
    for (size_t i = 0, count = (size_t)m->width * (size_t)m->height; i < count; i++) {
        skip_blank(b);
        if (b->at == b->end || (*b->at != '0' && *b->at != '1')) {
            m->problem = "it must have a 0 or 1 for each pixel";
            return;
        }
        m->light[i] = *b->at++ == '0' ? 255 : 0;
    }
}

static void read_bits(bytes *b, image *m)
{
    size_t row = ((size_t)m->width + 7) / 8;
    if ((size_t)(b->end - b->at) < row * (size_t)m->height) {
        m->problem = "it ends before its last row";
        return;
    }
    for (int y = 0; y < m->height; y++, b->at += row) {
        for (int x = 0; x < m->width; x++) {
            bool black = b->at[x / 8] >> (7 - x % 8) & 1;
            m->light[(size_t)y * (size_t)m->width + (size_t)x] = black ? 0 : 255;
        }
    }
}

static void read_pbm(bytes b, image *m)
{
    bool digits = b.end - b.at > 2 && memcmp(b.at, "P1", 2) == 0;
    if (!digits && (b.end - b.at < 3 || memcmp(b.at, "P4", 2) != 0)) {
        m->problem = "it must begin with P1 or P4";
        return;
    }
    b.at += 2;
    uint32_t width = read_size(&b), height = read_size(&b);
    if (!make_image(m, width, height)) {
        return;
    }
    b.at += b.at < b.end; // one blank
    if (digits) {
        read_digits(&b, m);
    } else {
        read_bits(&b, m);
    }
}

// ---------------------------------------------------------------------------------------------
// PNG: chunks of length, name, data and a checksum; the data of IDAT, one after the other, are a
// zlib stream of rows, each behind a byte that says how it differs from the row above.

typedef struct png {
    image *to;
    int depth, color, channels;
    size_t row, pixel;   // bytes of a row, and of a pixel, at least 1
    uint8_t lights[256]; // of the palette, over white
    int palette;         // how many of them there are
    bool header, begun, ended;
    z_stream stream;
    uint8_t *rows; // malloc: height x (1 + row)
    size_t size;
} png;

static uint32_t big_endian(const unsigned char *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static int channels_of(int color)
{
    return color == 2 ? 3 : color == 4 ? 2 : color == 6 ? 4 : color == 0 || color == 3 ? 1 : 0;
}

static bool good_depth(int color, int depth)
{
    bool small = depth == 1 || depth == 2 || depth == 4;
    return depth == 8 || (depth == 16 && color != 3) || (small && (color == 0 || color == 3));
}

static const char *read_header(png *p, const unsigned char *data, size_t length)
{
    if (p->header || length != 13) {
        return "its header is broken";
    }
    p->header = true;
    p->depth = data[8], p->color = data[9];
    p->channels = channels_of(p->color);
    if (p->channels == 0 || !good_depth(p->color, p->depth) || data[10] || data[11]) {
        return "its colours are of no kind that PNG has";
    }
    if (data[12]) {
        return "it is interlaced; write it without";
    }
    if (!make_image(p->to, big_endian(data), big_endian(data + 4))) {
        return p->to->problem ? p->to->problem : "memory ran out";
    }
    size_t bits = (size_t)p->channels * (size_t)p->depth;
    p->pixel = (bits + 7) / 8;
    p->row = ((size_t)p->to->width * bits + 7) / 8;
    p->size = (size_t)p->to->height * (p->row + 1);
    p->rows = take(p->to, p->size);
    if (!p->rows || inflateInit(&p->stream) != Z_OK) {
        p->to->no_memory = true;
        return "memory ran out";
    }
    p->begun = true;
    p->stream.next_out = p->rows;
    p->stream.avail_out = (uInt)p->size;
    return NULL;
}

static uint8_t lightness(unsigned r, unsigned g, unsigned b)
{
    return (uint8_t)((299 * r + 587 * g + 114 * b + 500) / 1000);
}

// What shows through is white.
static uint8_t over_white(unsigned light, unsigned alpha)
{
    return (uint8_t)((light * alpha + 255 * (255 - alpha) + 127) / 255);
}

static const char *read_palette(png *p, const unsigned char *data, size_t length)
{
    if (length == 0 || length > 768 || length % 3 != 0) {
        return "its palette is broken";
    }
    p->palette = (int)(length / 3);
    for (int i = 0; i < p->palette; i++) {
        p->lights[i] = lightness(data[3 * i], data[3 * i + 1], data[3 * i + 2]);
    }
    return NULL;
}

static const char *read_see_through(png *p, const unsigned char *data, size_t length)
{
    for (size_t i = 0; p->color == 3 && i < length && i < (size_t)p->palette; i++) {
        p->lights[i] = over_white(p->lights[i], data[i]);
    }
    return NULL;
}

// A stream that is longer than the picture ends where the room does.
static const char *read_data(png *p, const unsigned char *data, size_t length)
{
    unsigned char copy[4096];
    for (size_t at = 0; at < length && p->stream.avail_out > 0;) {
        size_t part = length - at < sizeof copy ? length - at : sizeof copy;
        memcpy(copy, data + at, part);
        p->stream.next_in = copy;
        p->stream.avail_in = (uInt)part;
        int result = inflate(&p->stream, Z_NO_FLUSH);
        if (result != Z_OK && result != Z_STREAM_END) {
            return "its data are broken";
        }
        at += part;
        if (result == Z_STREAM_END) {
            break;
        }
    }
    return NULL;
}

static const char *read_chunk(png *p, const unsigned char *name, const unsigned char *data,
                              size_t length)
{
    if (!p->header && memcmp(name, "IHDR", 4) != 0) {
        return "its header is missing";
    }
    if (memcmp(name, "IHDR", 4) == 0) {
        return read_header(p, data, length);
    }
    if (memcmp(name, "PLTE", 4) == 0) {
        return read_palette(p, data, length);
    }
    if (memcmp(name, "tRNS", 4) == 0) {
        return read_see_through(p, data, length);
    }
    if (memcmp(name, "IDAT", 4) == 0) {
        return read_data(p, data, length);
    }
    p->ended = memcmp(name, "IEND", 4) == 0;
    return p->ended || name[0] & 0x20 ? NULL : "it has a chunk that nobody knows";
}

static const char *read_chunks(png *p, bytes b)
{
    const char *problem = NULL;
    while (!problem && !p->ended) {
        size_t left = (size_t)(b.end - b.at), length = left >= 12 ? big_endian(b.at) : 0;
        if (left < 12 || length > left - 12) {
            return "it ends within a chunk";
        }
        uint32_t sum = big_endian(b.at + 8 + length);
        if (crc32(0, b.at + 4, (uInt)(length + 4)) != sum) {
            return "a checksum in it is wrong";
        }
        problem = read_chunk(p, b.at + 4, b.at + 8, length);
        b.at += 12 + length;
    }
    return problem;
}

static int paeth(int a, int b, int c)
{
    int pa = abs(b - c), pb = abs(a - c), pc = abs(a + b - 2 * c);
    return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

// Rows as differences from their left and upper neighbours become rows.
static bool unfilter(const png *p)
{
    for (int y = 0; y < p->to->height; y++) {
        uint8_t *row = p->rows + (size_t)y * (p->row + 1), filter = *row++;
        const uint8_t *up = y > 0 ? row - p->row - 1 : NULL;
        for (size_t x = 0; x < p->row; x++) {
            int a = x >= p->pixel ? row[x - p->pixel] : 0, b = up ? up[x] : 0;
            int c = up && x >= p->pixel ? up[x - p->pixel] : 0;
            int add = filter == 0   ? 0
                      : filter == 1 ? a
                      : filter == 2 ? b
                      : filter == 3 ? (a + b) / 2
                                    : paeth(a, b, c);
            row[x] = (uint8_t)(row[x] + add);
        }
        if (filter > 4) {
            return false;
        }
    }
    return true;
}

// A sample of a pixel: its upper eight bits, or those of an index into the palette.
static unsigned sample(const png *p, const uint8_t *row, int x, int channel)
{
    size_t index = (size_t)x * (size_t)p->channels + (size_t)channel;
    if (p->depth >= 8) {
        return row[index * ((size_t)p->depth / 8)];
    }
    size_t bit = index * (size_t)p->depth;
    unsigned byte = row[bit / 8];
    unsigned value = byte >> (8 - (unsigned)p->depth - bit % 8) & ((1u << p->depth) - 1);
    return p->color == 3 ? value : value * 255 / ((1u << p->depth) - 1);
}

static uint8_t pixel_light(const png *p, const uint8_t *row, int x)
{
    unsigned first = sample(p, row, x, 0);
    if (p->color == 3) {
        return (int)first < p->palette ? p->lights[first] : 0;
    }
    if (p->color == 0 || p->color == 4) {
        return p->color == 0 ? (uint8_t)first : over_white(first, sample(p, row, x, 1));
    }
    uint8_t light = lightness(first, sample(p, row, x, 1), sample(p, row, x, 2));
    return p->color == 2 ? light : over_white(light, sample(p, row, x, 3));
}

static const char *finish_png(const png *p)
{
    if (!p->header || p->stream.avail_out > 0) {
        return "it ends before its last row";
    }
    if (p->color == 3 && p->palette == 0) {
        return "its palette is missing";
    }
    if (!unfilter(p)) {
        return "its data are broken";
    }
    for (int y = 0; y < p->to->height; y++) {
        const uint8_t *row = p->rows + (size_t)y * (p->row + 1) + 1;
        for (int x = 0; x < p->to->width; x++) {
            p->to->light[(size_t)y * (size_t)p->to->width + (size_t)x] = pixel_light(p, row, x);
        }
    }
    return NULL;
}

static void read_png(bytes b, image *m)
{
    png p = {.to = m};
    if (b.end - b.at < 8 || memcmp(b.at, "\x89PNG\r\n\x1a\n", 8) != 0) {
        m->problem = "it must begin as a PNG file does";
        return;
    }
    b.at += 8;
    const char *problem = read_chunks(&p, b);
    problem = problem ? problem : finish_png(&p);
    m->problem = problem;
    if (p.begun) {
        inflateEnd(&p.stream);
    }
    free(p.rows);
}

// ---------------------------------------------------------------------------------------------
// Cells.

cr_status cri_bitmap_make(int width, int height, cri_bitmap *bitmap)
{
    *bitmap = (cri_bitmap){width, height, calloc((size_t)width * (size_t)height, 1)};
    return bitmap->dark ? CR_OK : CR_ERR_MEMORY;
}

void cri_bitmap_free(cri_bitmap *bitmap)
{
    free(bitmap->dark);
    *bitmap = (cri_bitmap){0};
}

// The darkness of the pixels of a cell, on average.
static uint8_t cell_of(const image *m, int x, int y, int factor)
{
    long sum = 0, count = 0;
    for (int v = y * factor; v < (y + 1) * factor && v < m->height; v++) {
        for (int u = x * factor; u < (x + 1) * factor && u < m->width; u++) {
            sum += 255 - m->light[(size_t)v * (size_t)m->width + (size_t)u];
            count++;
        }
    }
    return (uint8_t)((18 * sum + 255 * count) / (2 * 255 * count));
}

static cr_status shrink(const image *m, cri_bitmap *bitmap)
{
    int side = m->width > m->height ? m->width : m->height;
    int factor = (side + CRI_BITMAP_MAX - 1) / CRI_BITMAP_MAX;
    int width = (m->width + factor - 1) / factor, height = (m->height + factor - 1) / factor;
    if (cri_bitmap_make(width, height, bitmap) != CR_OK) {
        return CR_ERR_MEMORY;
    }
    for (int i = 0; i < width * height; i++) {
        bitmap->dark[i] = cell_of(m, i % width, i / width, factor);
    }
    return CR_OK;
}

static bool ends_with(const char *name, const char *end)
{
    size_t n = strlen(name), m = strlen(end);
    return n >= m && cri_word_alike(name + n - m, end);
}

bool cri_bitmap_is_file(const char *name)
{
    return ends_with(name, ".pbm") || ends_with(name, ".png");
}

cr_status cri_bitmap_read(const char *path, cri_location place, cri_bitmap *bitmap,
                          cr_report *report)
{
    char *text;
    size_t length;
    *bitmap = (cri_bitmap){0};
    if (cri_file_read(path, FILE_MAX, &text, &length, NULL) != CR_OK) {
        return cri_fail(report, CR_ERR_FILE, place,
                        "picture \"%.200s\" is not there, is no regular file or is larger than %d "
                        "MB",
                        path, FILE_MAX >> 20);
    }
    image m = {0};
    bytes b = {(const unsigned char *)text, (const unsigned char *)text + length};
    if (ends_with(path, ".png")) {
        read_png(b, &m);
    } else {
        read_pbm(b, &m);
    }
    cr_status status = m.no_memory ? CR_ERR_MEMORY : m.problem ? CR_ERR_SYNTAX : shrink(&m, bitmap);
    free(m.light);
    free(text);
    return status == CR_OK ? CR_OK
           : status == CR_ERR_MEMORY
               ? cri_fail_memory(report)
               : cri_fail(report, status, place, "picture \"%.200s\": %s", path, m.problem);
}

// ---------------------------------------------------------------------------------------------
// Texts.

static const char mark[] = "cells:";

static cr_status fail_cells(cri_location place, cr_report *report)
{
    return cri_fail(report, CR_ERR_SYNTAX, place,
                    "the cells of a picture must be rows of digits with / between, all as long, at "
                    "most %d of %d",
                    CRI_BITMAP_MAX, CRI_BITMAP_MAX);
}

static cr_status parse_cells(const char *cells, cri_location place, cri_bitmap *bitmap,
                             cr_report *report)
{
    size_t length = strlen(cells), width = strcspn(cells, "/");
    size_t height = width > 0 ? (length + 1) / (width + 1) : 0;
    if (height == 0 || width > CRI_BITMAP_MAX || height > CRI_BITMAP_MAX ||
        length + 1 != height * (width + 1)) {
        return fail_cells(place, report);
    }
    if (cri_bitmap_make((int)width, (int)height, bitmap) != CR_OK) {
        return cri_fail_memory(report);
    }
    for (size_t i = 0; i < length; i++) {
        size_t x = i % (width + 1), y = i / (width + 1);
        bool digit = cells[i] >= '0' && cells[i] <= '9';
        if (x == width ? cells[i] != '/' : !digit) {
            cri_bitmap_free(bitmap);
            return fail_cells(place, report);
        }
        if (x < width) {
            bitmap->dark[y * width + x] = (uint8_t)(cells[i] - '0');
        }
    }
    return CR_OK;
}

cr_status cri_bitmap_parse(const char *text, cri_location place, cri_bitmap *bitmap,
                           cr_report *report)
{
    *bitmap = (cri_bitmap){0};
    if (strncmp(text, mark, sizeof mark - 1) == 0) {
        return parse_cells(text + sizeof mark - 1, place, bitmap, report);
    }
    cr_status status = cri_bitmap_spell(text, bitmap);
    if (status == CR_ERR_TYPE) {
        return cri_fail(report, status, place,
                        "a picture's word is made of A to Z, digits, blanks and any of .,:!?+-*/, "
                        "got \"%.80s\"",
                        text);
    }
    if (status == CR_ERR_RANGE) {
        return cri_fail(report, status, place,
                        "a picture's word must have 1 to %d letters a line, and a letter that is "
                        "black somewhere",
                        (CRI_BITMAP_MAX + 1) / 6);
    }
    return status == CR_OK ? CR_OK : cri_fail_memory(report);
}

void cri_bitmap_print(const cri_bitmap *bitmap, cri_text *text)
{
    cri_text_add(text, "%s", mark);
    for (int y = 0; y < bitmap->height; y++) {
        char row[CRI_BITMAP_MAX + 1];
        for (int x = 0; x < bitmap->width; x++) {
            row[x] = (char)('0' + bitmap->dark[y * bitmap->width + x]);
        }
        cri_text_add(text, "%s", y > 0 ? "/" : "");
        cri_text_add_bytes(text, row, (size_t)bitmap->width);
    }
}
