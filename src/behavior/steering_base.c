// Steering worked out on any machine.
#include "behavior/steering_lanes.h"

void cri_work_out_base(cri_steering *steering)
{
    work_out(steering);
}
