// carom drive replay: a car driven by a drive's own table of inputs.
#include "drive.h"

#include <stdio.h>

// m: what a table's own drive keeps to by far.
#define CLOSE 1e-3

int drive_replay(int argc, char **argv)
{
    const usage how = {"carom drive replay FILE",
                       "Drives a car by the .inputs.csv of a drive, from its first state on, and "
                       "says how far the car\ngets from it; more than a millimetre is a failure.",
                       NULL,
                       0,
                       1,
                       1};
    const char *path;
    int words;
    int code = options_read(&how, argc, argv, &path, &words);
    if (code >= 0) {
        return code;
    }
    cr_report report = {0};
    cr_drive_deviation d;
    cr_status status = cr_drive_replay(path, &d, &report);
    if (status != CR_OK) {
        return report_print(status, &report);
    }
    printf("replayed %d frames (%.2f s): at most %.2g m, %.2g rad and %.2g m/s from the table\n",
           d.frames, (double)d.frames / CR_DRIVE_RATE, d.distance, d.heading, d.speed);
    return d.distance <= CLOSE ? EXIT_DONE : EXIT_PART;
}
