// A run as something to look at: the world as it was, and each plan as it was meant.
#ifndef CLI_RUN_FILM_H
#define CLI_RUN_FILM_H

#include "commands.h"

typedef struct run_film run_film;

// NULL when memory runs out: then nothing is filmed.
run_film *film_run_open(const cr_model *model);

// For cr_run_def.show; false when memory runs out.
bool film_run_frame(run_film *film, const cr_run_frame *frame);

// Write it, unless path is NULL, and free it; film may be NULL. Returns an exit code.
int film_run_close(run_film *film, const char *path);

#endif
