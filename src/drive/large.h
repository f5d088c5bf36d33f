// The clips of the large tree, which the automatic graph uses as well.
#ifndef CRI_DRIVE_LARGE_H
#define CRI_DRIVE_LARGE_H

#include "drive/moves.h"

cr_status cri_large_record(cri_driver *driver, cr_report *report);

#endif
