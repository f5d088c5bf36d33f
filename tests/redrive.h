// A car driven by what a drive wrote, and by nothing else: the test's own reader and loop.
#ifndef TESTS_REDRIVE_H
#define TESTS_REDRIVE_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include <carom/carom.h>

// A row of an .inputs.csv, as docs/drive.md has it.
enum {
    R_TIME,
    R_STEER,
    R_THROTTLE,
    R_BRAKE,
    R_X,
    R_Y,
    R_TURN,
    R_VX,
    R_VY,
    R_SPIN,
    R_JUMP,
    R_ALL = 13
};

#define REDRIVE_DEGREE (3.14159265358979323846 / 180)

typedef struct redrive_rows {
    int count;
    double (*row)[R_ALL];
} redrive_rows;

static inline void redrive_write(const cr_drive *drive, const char *ending, char path[64])
{
    snprintf(path, 64, "/tmp/carom-redrive-%ld%s", (long)getpid(), ending);
    cr_playback *playback = NULL;
    assert_int_equal(cr_drive_playback(drive, &playback, NULL), CR_OK);
    assert_int_equal(cr_playback_write(playback, path, NULL), CR_OK);
    cr_playback_destroy(playback);
}

// Numbers of all lines but comments and, where skip is set, a heading.
static inline redrive_rows redrive_read(const char *path, int columns, bool skip)
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    redrive_rows r = {0, malloc(20000 * sizeof *r.row)};
    char line[2000];
    while (fgets(line, sizeof line, file)) {
        if (line[0] == '#' || skip) {
            skip = skip && line[0] == '#';
            continue;
        }
        char *at = line;
        for (int i = 0; i < columns; i++) {
            assert_true(i == 0 || *at++ == ',');
            r.row[r.count][i] = strtod(at, &at);
        }
        assert_true(*at == '\n' && r.count < 19999);
        r.count++;
    }
    fclose(file);
    return r;
}

// How far from the rows the car gets, m, by their inputs (of `shift` rows later) from the first
// state on.
static inline double redrive(redrive_rows r, bool jumps, int shift)
{
    const cr_car car = cr_default_car();
    const double *f = r.row[0];
    cr_car_state at = {f[R_X], f[R_Y], f[R_TURN], f[R_VX], f[R_VY], f[R_SPIN]};
    double most = 0;
    for (int i = 0; i + 1 < r.count; i++) {
        f = r.row[i];
        if (jumps) {
            at.vx += f[R_JUMP];
            at.vy += f[R_JUMP + 1];
            at.spin += f[R_JUMP + 2];
        }
        const double *by = r.row[i + shift < r.count ? i + shift : i];
        cr_car_input input = {by[R_STEER] * REDRIVE_DEGREE, by[R_THROTTLE], by[R_BRAKE]};
        at = cr_car_step(&car, at, input);
        f = r.row[i + 1];
        most = fmax(most, hypot(at.x - f[R_X], at.y - f[R_Y]));
    }
    return most;
}

// The drive's file alone leads where it says. `continuous`: its velocities do not jump, so inputs
// alone do it.
static inline void assert_redrives(const cr_drive *drive, bool continuous)
{
    char path[64];
    redrive_write(drive, ".inputs.csv", path);
    redrive_rows r = redrive_read(path, R_ALL, false);
    assert_int_equal(r.count, cr_drive_outcome(drive).frames);
    assert_true(redrive(r, true, 0) < 1e-8);
    assert_true(!continuous || redrive(r, false, 0) < 1e-3);
    cr_drive_deviation d;
    assert_int_equal(cr_drive_replay(path, &d, NULL), CR_OK);
    assert_int_equal(d.frames, r.count - 1);
    assert_true(d.distance < 1e-8 && d.heading < 1e-10 && d.speed < 1e-8);
    free(r.row);
    remove(path);
}

#endif
