// No MPI: a process is alone.
#include "cluster/link.h"

#include <stdio.h>

bool link_open(void)
{
    fputs("carom: this carom was built without MPI, so that the processes of an mpirun cannot "
          "share work; install libopenmpi-dev and openmpi-bin and build it again with "
          "-DCAROM_MPI=ON\n",
          stderr);
    return false;
}

void link_close(void)
{
}

void link_send(int to, const link_message *message)
{
    (void)to;
    (void)message;
}

bool link_poll(link_message *message)
{
    (void)message;
    return false;
}
