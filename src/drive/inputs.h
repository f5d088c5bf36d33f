// Recorded inputs of a person.
#ifndef CRI_DRIVE_INPUTS_H
#define CRI_DRIVE_INPUTS_H

#include "drive/moves.h"

// Record a clip from a table of inputs. Nothing is kept where it fails.
cr_status cri_inputs_read(const char *path, cri_driver *driver, cr_report *report);

// The same from a text; text[length] is zero.
cr_status cri_inputs_parse(const char *text, size_t length, const char *path, cri_driver *driver,
                           cr_report *report);

#endif
