// An assert on ways that a search goes some thirty times a step, where what is asked for was
// checked when the scene was compiled: built-in Skills and conditions name their parameters in
// their tables, and their bodies and regions are those of the model. Their files define
// CRI_TRUSTED, and there it is checked only where sanitizers are at work. Everywhere else, and so
// for whoever calls from outside, it is an assert.
#ifndef CRI_TRUST_H
#define CRI_TRUST_H

#include <assert.h>

#if defined(CRI_TRUSTED) && !defined(__SANITIZE_ADDRESS__)
#define cri_trust(condition) ((void)0)
#else
#define cri_trust(condition) assert(condition)
#endif

#endif
