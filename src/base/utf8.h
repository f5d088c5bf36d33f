// Text from strangers: what is well-formed, and what does more to a terminal than be seen.
#ifndef CRI_UTF8_H
#define CRI_UTF8_H

#include "carom/base.h"

// The length of the well-formed UTF-8 sequence at `at`, or 0. Overlong forms, surrogates and
// values above U+10FFFF are not well-formed (Unicode 15, table 3-7). A zero byte ends every test,
// so nothing behind the text is read.
size_t cri_utf8_length(const char *at);

#endif
