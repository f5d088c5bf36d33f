/// @file extension.h
/// An extension is a shared object with Skills, conditions, quantities, selects, ranks or engines
/// that carom does not come with. A program loads it into its library by cr_library_load, `carom`
/// with `--load FILE`; a scene never does. It exports one symbol, which CR_EXTENSION defines:
///
///     static cr_status add(cr_library *library, cr_report *report)
///     {
///         return cr_library_add_skill(library, &hop_type, report);
///     }
///     CR_EXTENSION("frogs", "1.0", add);
///
/// It is compiled with `cc -shared -fPIC` and not linked with libcarom: the functions it calls are
/// those of the program that loads it. A plan records the names and versions of the extensions in
/// its library, and is only read with the same ones. Loading runs code of the file: load what you
/// trust.
///
/// Threads: a library may be read by any number of threads, but not while something is loaded or
/// registered.
#ifndef CAROM_EXTENSION_H
#define CAROM_EXTENSION_H

#include "library.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What the symbol begins with, to tell it from a symbol of the same name.
#define CR_EXTENSION_MARK 0x6d6f7263u

/// What the symbol is called.
#define CR_EXTENSION_SYMBOL "carom_extension"

/// What an extension says of itself. The first three fields stay where they are in every version.
typedef struct cr_extension {
    uint32_t mark;         ///< CR_EXTENSION_MARK
    uint16_t major, minor; ///< CR_VERSION_MAJOR and _MINOR of the headers it was compiled with
    const char *name;      ///< one word of letters, digits, _, - and ., at most 40
    const char *version;   ///< its own, in the same letters, as "1.0"
    /// Register what it has. If this fails nothing of it stays in the library.
    cr_status (*add)(cr_library *library, cr_report *report);
} cr_extension;

#ifdef __cplusplus
#define CR_EXTENSION_LINKAGE extern "C"
#else
#define CR_EXTENSION_LINKAGE extern
#endif

/// Define the symbol; once in a shared object.
#define CR_EXTENSION(NAME, VERSION, ADD)                                                           \
    CR_EXTENSION_LINKAGE CR_API const cr_extension carom_extension;                                \
    const cr_extension carom_extension = {                                                         \
        CR_EXTENSION_MARK, CR_VERSION_MAJOR, CR_VERSION_MINOR, NAME, VERSION, ADD}

/// Load a shared object and register what it has. It stays loaded until the library is destroyed.
/// Fails with CR_ERR_FILE if it cannot be loaded or is no extension, with CR_ERR_VERSION if it was
/// compiled for a carom that this one does not stand in for (another minor version while the major
/// one is 0), with CR_ERR_NAME if a name is taken or the extension is there already; the library is
/// then as it was. A path without a slash is a file of the present folder.
CR_API cr_status cr_library_load(cr_library *library, const char *path, cr_report *report);

/// Register an extension that is part of the program. It is not copied and must outlive the
/// library.
CR_API cr_status cr_library_add_extension(cr_library *library, const cr_extension *extension,
                                          cr_report *report);

/// The extensions in a library, in the order they were added; library NULL: none.
CR_API int cr_library_extension_count(const cr_library *library);
CR_API const cr_extension *cr_library_extension(const cr_library *library, int index);

/// The path that it was loaded from; NULL: it is part of the program.
CR_API const char *cr_library_extension_path(const cr_library *library, int index);

#ifdef __cplusplus
}
#endif

#endif
