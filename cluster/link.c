#include "cluster/link.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const link_calls *calls; // NULL: not loaded

// A path from the program's own folder. False if it is too long.
static bool beside_program(const char *name, char *path, size_t size)
{
    ssize_t length = readlink("/proc/self/exe", path, size);
    if (length <= 0 || (size_t)length + strlen(name) >= size) {
        return false;
    }
    path[length] = 0;
    char *slash = strrchr(path, '/');
    memcpy(slash + 1, name, strlen(name) + 1);
    return access(path, R_OK) == 0;
}

// As it was built, or as it was installed. Open MPI loads parts of itself that look for its symbols
// everywhere: they are made known to all.
static void *load(void)
{
    char path[1200];
    if (beside_program("carom-mpi.so", path, sizeof path) ||
        beside_program(CAROM_MPI_INSTALLED, path, sizeof path)) {
        void *object = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
        if (!object) {
            fprintf(stderr, "carom: %s\n", dlerror());
        }
        return object;
    }
    return NULL;
}

bool link_open(void)
{
    void *object = load();
    calls = object ? dlsym(object, "carom_link") : NULL;
    if (!calls) {
        fputs("carom: this carom has no MPI, so that the processes of an mpirun cannot share work; "
              "install libopenmpi-dev and openmpi-bin and build it again with -DCAROM_MPI=ON\n",
              stderr);
    }
    return calls && calls->open();
}

void link_close(void)
{
    if (calls) {
        calls->close();
    }
}

void link_send(int to, const link_message *message)
{
    if (calls) {
        calls->send(to, message);
    }
}

bool link_poll(link_message *message)
{
    return calls && calls->poll(message);
}
