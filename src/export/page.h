// The viewer's template, made by the build from viewer/.
#ifndef CRI_PAGE_H
#define CRI_PAGE_H

// Zero-terminated; empty if the build found no Node.js.
extern const char cri_page[];

#endif
