/// @file base.h
/// What every other header needs: export macro, version, vectors, errors, random numbers.
///
/// Threads: the library has no state of its own that callers see; every function here may be called
/// from any thread. A report and a random stream belong to one thread at a time.
#ifndef CAROM_BASE_H
#define CAROM_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CR_API __attribute__((visibility("default")))

/// The version of these headers. It stands here and nowhere else: build, package files and
/// cr_version() take it from here. While MAJOR is 0 every MINOR may break what was; later only
/// MAJOR does.
#define CR_VERSION_MAJOR 0
#define CR_VERSION_MINOR 1
#define CR_VERSION_PATCH 0

/// The version of the library in use, as "MAJOR.MINOR.PATCH".
CR_API const char *cr_version(void);

// ---------------------------------------------------------------------------------------------
// Geometry. SI units, z up, right-handed, radians.

typedef struct cr_vec2 {
    double x, y;
} cr_vec2;

typedef struct cr_vec3 {
    double x, y, z;
} cr_vec3;

/// A rotation as a unit quaternion; {0, 0, 0, 1} is none.
typedef struct cr_quat {
    double x, y, z, w;
} cr_quat;

typedef struct cr_pose {
    cr_vec3 position;
    cr_quat rotation;
} cr_pose;

// ---------------------------------------------------------------------------------------------
// Errors. A caller's bug is an assert: an index that is not there, a count below 0. Bad files,
// names, values and missing memory are a cr_status with a located message in a cr_report. "No plan
// found" is neither: see cr_outcome in planner.h.

typedef enum cr_status {
    CR_OK,
    CR_ERR_FILE,    ///< a file cannot be read or written
    CR_ERR_SYNTAX,  ///< a text is not what its format says
    CR_ERR_NAME,    ///< a name is unknown, missing or taken
    CR_ERR_TYPE,    ///< a value is of the wrong sort
    CR_ERR_RANGE,   ///< a value is out of range
    CR_ERR_VERSION, ///< a file of another version of the format
    CR_ERR_REPLAY,  ///< a plan does not reach what it recorded
    CR_ERR_MEMORY,  ///< memory ran out
} cr_status;

/// A word for a status, as "range".
CR_API const char *cr_status_name(cr_status status);

/// One error or warning: where, and one sentence that names the thing, the rule and the value.
typedef struct cr_error {
    cr_status status;  ///< CR_OK for a warning
    int line, column;  ///< from 1; 0 where there is no place in a text
    char file[128];    ///< the end of a longer path; empty where there is none
    char message[360]; ///< one sentence, cut with "..." when longer; as cr_text_show shows it
} cr_error;

#define CR_REPORT_MAX 32

/// All errors and warnings of one call, in the order found. Start with `cr_report report = {0};`.
/// Every function that takes a report also takes NULL. An error makes the call fail; a warning says
/// what in the input has no effect, or another one than might be thought, and the call goes on.
typedef struct cr_report {
    int count;         ///< errors found; only the first CR_REPORT_MAX are kept
    int warning_count; ///< warnings found; only the first CR_REPORT_MAX are kept
    cr_error errors[CR_REPORT_MAX];
    cr_error warnings[CR_REPORT_MAX];
} cr_report;

/// Add an error to a report, which may be NULL; returns its status, so that one can
/// `return cr_report_fail(...)`. For Skills, engines and the like of one's own.
CR_API cr_status cr_report_fail(cr_report *report, cr_status status, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/// Print an error as `file:line:column: message` into text, a warning with `warning: ` before it;
/// returns text.
CR_API const char *cr_error_print(const cr_error *error, char *text, size_t size);

/// Which of some known words a mistyped one most likely stands for, as messages ask "did you mean";
/// of several that are equally near, the first. NULL if none is near. known: count words.
CR_API const char *cr_nearest_word(const char *word, const char *const *known, int count);

/// Show a text of a stranger on one line, safe for a terminal: control characters, bytes that are
/// not UTF-8 and marks that turn the writing direction are printed as \n, \t or \x1b; the rest as
/// it is. A text that does not fit is cut with "...". size: at least 4. Returns out.
CR_API const char *cr_text_show(const char *text, char *out, size_t size);

// ---------------------------------------------------------------------------------------------
// Files.

/// Write a whole file. It is complete and on the disk, or as it was before, also if the power
/// fails. A file that was there keeps its owner and rights; a link is followed; pipes and devices
/// are written to as they are. Fails with CR_ERR_FILE.
CR_API cr_status cr_file_write(const char *path, const void *data, size_t length,
                               cr_report *report);

/// Whether cr_file_write could write there, asked before long work for it: the folder is there and
/// takes a new file, and nothing of that name stands in the way. Leaves all as it was. Fails with
/// CR_ERR_FILE.
CR_API cr_status cr_file_try(const char *path, cr_report *report);

// ---------------------------------------------------------------------------------------------
// Randomness is a value: a stream is named by (seed, domain, index) and nothing else. The draws of
// one stream do not depend on threads, time or other streams. Philox 4x64-10 from Random123 inside.

typedef struct cr_rng {
    uint64_t key[2];
    uint64_t counter[4];
    uint64_t block[4];
    int used; ///< words of block already drawn
} cr_rng;

/// What a stream is for; streams of different domains never meet.
typedef enum cr_rng_domain {
    CR_RNG_ATTEMPT = 0, ///< what an attempt's Tactics and Skills draw; index: the attempt
    CR_RNG_SELECT = 1,  ///< what its selection draws; index: the attempt
    CR_RNG_START = 2,   ///< index: the start
    CR_RNG_USER = 3,    ///< yours
    CR_RNG_TRUTH = 4,   ///< what happens in a true world (execute.h)
    CR_RNG_VARY = 5,    ///< other numbers for a scene (vary.h); index: the draw
} cr_rng_domain;

/// The stream of that name, at its beginning.
CR_API cr_rng cr_rng_make(uint64_t seed, cr_rng_domain domain, uint64_t index);

/// 64 random bits.
CR_API uint64_t cr_rng_bits(cr_rng *rng);

/// Uniform in [0, 1), 53 bits.
CR_API double cr_rng_unit(cr_rng *rng);

/// Uniform in [low, high).
CR_API double cr_rng_uniform(cr_rng *rng, double low, double high);

/// Normal with the given mean and standard deviation.
CR_API double cr_rng_normal(cr_rng *rng, double mean, double deviation);

/// Uniform in 0 .. count-1, without bias. count > 0.
CR_API uint64_t cr_rng_index(cr_rng *rng, uint64_t count);

#ifdef __cplusplus
}
#endif

#endif
