// A headless Chromium that opens a page and answers questions about it. It is asked through a pair
// of pipes (--remote-debugging-pipe): messages of the DevTools protocol as JSON, each with a zero
// byte behind it.
#ifndef BROWSER_H
#define BROWSER_H

#include <stdbool.h>
#include <sys/types.h>

typedef struct browser {
    pid_t process;
    int to, from; // pipes
    int asked;    // messages so far
    bool gone;    // it no longer answers
    char session[80];
    char *answer; // the last message; malloc
    size_t length, capacity;
} browser;

// The path of the first of the programs that PATH has, or NULL; malloc.
char *program_find(const char *const *names);

// The browser to use: $CHROMIUM, or the first known one. NULL if there is none; malloc.
char *browser_find(void);

// Start it with a window of that size and open the page. False if it cannot be done.
bool browser_open(browser *b, const char *program, const char *page, int width, int height);

// Have an expression evaluated, without waiting. One question at a time: hear its answer first.
bool browser_tell(browser *b, const char *expression);

// Wait for what the expression gives or promises, and return the text or number that comes of it
// as text, which lasts until the next question. NULL if there is none.
const char *browser_hear(browser *b);

// Both, one after the other.
const char *browser_ask(browser *b, const char *expression);

void browser_close(browser *b);

#endif
