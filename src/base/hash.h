// A 64-bit hash over words, the same on every machine: multiply and fold, with a final mix.
#ifndef CRI_HASH_H
#define CRI_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define CRI_HASH_START 0x9e3779b97f4a7c15u

static inline uint64_t cri_hash_word(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0xff51afd7ed558ccdu;
    return hash ^ (hash >> 32);
}

// size: a multiple of 8
static inline uint64_t cri_hash_words(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    for (size_t i = 0; i + 8 <= size; i += 8) {
        uint64_t word;
        memcpy(&word, bytes + i, 8);
        hash = cri_hash_word(hash, word);
    }
    return hash;
}

#endif
