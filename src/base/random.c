// Random streams: a counter-based generator keyed by (seed, index), its domain in the counter.
#include "carom/base.h"

#include <assert.h>
#include <math.h>
#include <Random123/philox.h>

#include "base/trig.h"

cr_rng cr_rng_make(uint64_t seed, cr_rng_domain domain, uint64_t index)
{
    return (cr_rng){.key = {seed, index}, .counter = {0, (uint64_t)domain, 0, 0}, .used = 4};
}

uint64_t cr_rng_bits(cr_rng *rng)
{
    if (rng->used == 4) {
        philox4x64_ctr_t counter = {{rng->counter[0], rng->counter[1], 0, 0}};
        philox4x64_key_t key = {{rng->key[0], rng->key[1]}};
        philox4x64_ctr_t block = philox4x64(counter, key);
        for (int i = 0; i < 4; i++) {
            rng->block[i] = block.v[i];
        }
        rng->counter[0]++;
        rng->used = 0;
    }
    return rng->block[rng->used++];
}

double cr_rng_unit(cr_rng *rng)
{
    return (double)(cr_rng_bits(rng) >> 11) * 0x1p-53;
}

double cr_rng_uniform(cr_rng *rng, double low, double high)
{
    return low + (high - low) * cr_rng_unit(rng);
}

double cr_rng_normal(cr_rng *rng, double mean, double deviation)
{
    if (deviation == 0) { // the stream goes on all the same
        cr_rng_bits(rng);
        cr_rng_bits(rng);
        return mean;
    }
    double u = 1 - cr_rng_unit(rng); // in (0, 1]
    double angle = 2 * CRI_PI * cr_rng_unit(rng);
    return mean + deviation * sqrt(-2 * cri_log(u)) * cri_cos(angle);
}

uint64_t cr_rng_index(cr_rng *rng, uint64_t count)
{
    assert(count > 0);
    // Values below `fringe` would make the first indices more likely.
    uint64_t fringe = (0 - count) % count;
    uint64_t bits = cr_rng_bits(rng);
    while (bits < fringe) {
        bits = cr_rng_bits(rng);
    }
    return bits % count;
}
