// The shared object: `carom plan frog.yaml --load own.so`.
#include "own.h"

cr_status own_add(cr_library *library, cr_report *report)
{
    cr_status status = cr_library_add_skill(library, &own_hop, report);
    status = status == CR_OK ? cr_library_add_condition(library, &own_above, report) : status;
    status = status == CR_OK ? cr_library_add_quantity(library, &own_energy, report) : status;
    status = status == CR_OK ? cr_library_add_select(library, &own_least_tried, report) : status;
    status = status == CR_OK ? cr_library_add_rank(library, &own_gentle, report) : status;
    return status == CR_OK ? cr_library_add_engine(library, &own_bouncer, report) : status;
}

CR_EXTENSION("own", "1.0", own_add);
