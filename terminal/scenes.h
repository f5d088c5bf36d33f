// Scenes by name: those that came with carom, and any file.
#ifndef TERMINAL_SCENES_H
#define TERMINAL_SCENES_H

#include "terminal/terminal.h"

// The folder of the scenes that came with carom: $CAROM_SCENES, or where they were installed with
// the program, or where it was built.
const char *scene_folder(void);

// The path of a scene: the word itself if such a file exists, or a scene that came with carom:
// "windmill" or "minigolf/windmill". Free it; NULL when memory runs out.
char *scene_find(const char *word);

// Print why a scene could not be read, and which was perhaps meant; returns the exit code.
int scene_refuse(const char *word, cr_status status, cr_report *report);

#endif
