// Extensions that carom must not take, and one of another version: a shared object for each CASE.
#include <carom/carom.h>

static cr_skill_result stay(const cr_skill_call *call)
{
    (void)call;
    return CR_SKILL_IS_BUSY;
}

// One that is free and one that is taken: neither may stay.
cr_status add_taken(cr_library *library, cr_report *report);
cr_status add_taken(cr_library *library, cr_report *report)
{
    static const cr_skill_type leap = {.name = "leap", .about = "", .act = stay};
    static const cr_skill_type wait = {.name = "wait", .about = "", .act = stay};
    cr_status status = cr_library_add_skill(library, &leap, report);
    return status == CR_OK ? cr_library_add_skill(library, &wait, report) : status;
}

cr_status add_nothing(cr_library *library, cr_report *report);
cr_status add_nothing(cr_library *library, cr_report *report)
{
    (void)library;
    (void)report;
    return CR_OK;
}

#define old     1
#define other   2
#define nothing 3
#define taken   4
#define unnamed 5
#define lost    6
#define second  7

#if CASE == old
CR_API extern const cr_extension carom_extension;
const cr_extension carom_extension = {
    CR_EXTENSION_MARK, CR_VERSION_MAJOR, CR_VERSION_MINOR + 1, "old", "1.0", add_nothing};
#elif CASE == other
CR_API extern const int carom_extension[16];
const int carom_extension[16] = {7};
#elif CASE == taken
CR_EXTENSION("taken", "1.0", add_taken);
#elif CASE == unnamed
CR_EXTENSION("two words", "1.0", add_nothing);
#elif CASE == lost
extern cr_status cr_not_there(cr_library *library, cr_report *report);
CR_EXTENSION("lost", "1.0", cr_not_there);
#elif CASE == second
CR_EXTENSION("own", "2.0", add_nothing);
#endif
