// --load: shared objects with Skills and the like. The command line alone can load them, never a
// scene.
#include "load.h"

static int on_load(const char *value, void *context)
{
    cr_library **library = context;
    cr_report report = {0};
    if (!*library) {
        *library = cr_library_create();
    }
    cr_status status = *library ? cr_library_load(*library, value, &report) : CR_ERR_MEMORY;
    return status == CR_OK ? 0 : report_print(status, &report);
}

option_row load_option(cr_library **library)
{
    return (option_row){
        0,           "load",  "FILE",
        OPTION_CALL, library, "a shared object with Skills and the like; it runs its code",
        0,           0,       on_load};
}

int load_options(const usage *how, int argc, char **argv, load_words *words)
{
    int code = options_read(how, argc, argv, words->words, &words->count);
    if (code >= 0) {
        cr_library_destroy(*words->library);
        *words->library = NULL;
    }
    return code;
}
