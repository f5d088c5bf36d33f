#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_SIZE = 32 << 10 };

struct cri_arena_block {
    struct cri_arena_block *next;
    size_t size, used; // of data
    alignas(16) unsigned char data[];
};

static struct cri_arena_block *add_block(cri_arena *arena, size_t need)
{
    size_t size = need > BLOCK_SIZE ? need : BLOCK_SIZE;
    struct cri_arena_block *block = calloc(1, sizeof *block + size);
    if (block) {
        block->size = size;
        block->next = arena->blocks;
        arena->blocks = block;
    }
    return block;
}

void *cri_arena_alloc(cri_arena *arena, size_t count, size_t size)
{
    if (size && count > (SIZE_MAX / 4) / size) {
        return NULL;
    }
    size_t need = (count * size + 15) & ~(size_t)15;
    struct cri_arena_block *block = arena->blocks;
    if (!block || block->size - block->used < need) {
        block = add_block(arena, need);
        if (!block) {
            return NULL;
        }
    }
    void *memory = block->data + block->used;
    block->used += need;
    return memory;
}

char *cri_arena_text(cri_arena *arena, const char *text, size_t length)
{
    char *copy = cri_arena_alloc(arena, length + 1, 1);
    if (copy) {
        memcpy(copy, text, length);
    }
    return copy;
}

void cri_arena_free(cri_arena *arena)
{
    struct cri_arena_block *block = arena->blocks;
    while (block) {
        struct cri_arena_block *next = block->next;
        free(block);
        block = next;
    }
    arena->blocks = NULL;
}
