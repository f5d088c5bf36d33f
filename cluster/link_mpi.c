// Messages over MPI: carom-mpi.so. One thread of a process calls these.
#include "cluster/link.h"

#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool open_mpi(void)
{
    int given, begun = 0;
    MPI_Initialized(&begun);
    if (begun) {
        return true;
    }
    // Where there are more processes than cores, one that waits inside of MPI lets others work.
    setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0);
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &given) != MPI_SUCCESS ||
        given < MPI_THREAD_FUNNELED) {
        fputs("carom: MPI does not begin, or knows of no threads\n", stderr);
        return false;
    }
    return true;
}

static void close_mpi(void)
{
    int begun = 0;
    MPI_Initialized(&begun);
    if (begun) {
        MPI_Finalize();
    }
}

static void send_mpi(int to, const link_message *message)
{
    size_t size = sizeof message->value + message->length;
    char *bytes = size <= INT_MAX ? malloc(size) : NULL;
    if (!bytes) {
        fputs("carom: memory ran out\n", stderr);
        MPI_Abort(MPI_COMM_WORLD, 4);
        return;
    }
    memcpy(bytes, &message->value, sizeof message->value);
    if (message->length > 0) {
        memcpy(bytes + sizeof message->value, message->text, message->length);
    }
    MPI_Send(bytes, (int)size, MPI_BYTE, to, (int)message->tag, MPI_COMM_WORLD);
    free(bytes);
}

static bool poll_mpi(link_message *message)
{
    int there = 0, size = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
    if (!there) {
        return false;
    }
    MPI_Get_count(&status, MPI_BYTE, &size);
    char *bytes = malloc((size_t)size + 1);
    if (!bytes || (size_t)size < sizeof message->value) {
        fputs("carom: memory ran out\n", stderr);
        MPI_Abort(MPI_COMM_WORLD, 4);
        return false;
    }
    MPI_Recv(bytes, size, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    bytes[size] = 0;
    *message = (link_message){.from = status.MPI_SOURCE, .tag = (link_tag)status.MPI_TAG};
    memcpy(&message->value, bytes, sizeof message->value);
    message->length = (size_t)size - sizeof message->value;
    memmove(bytes, bytes + sizeof message->value, message->length + 1);
    message->text = bytes;
    return true;
}

extern const link_calls carom_link;
__attribute__((visibility("default")))
const link_calls carom_link = {open_mpi, close_mpi, send_mpi, poll_mpi};
