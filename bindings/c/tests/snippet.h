/* What the code of the book finds around it, included by a program whose body is that code. C and C++. */
#ifndef SNIPPET_H
#define SNIPPET_H

#include <stdio.h>
#include <stdlib.h>

#include "evenstep.h"

#ifdef __cplusplus
#include <algorithm>
#include <chrono>
#endif

enum { KEY_JUMP = 1, KEY_RIGHT = 2 };

/* Thirty frames of a clock that goes on by a sixtieth of a second whenever it is read. */
static uint64_t snippet_clock = 0;
static int snippet_frames = 30, snippet_drawn = 0, snippet_draws = 0;

static inline uint64_t snippet_now(void) { return snippet_clock += 16666667; }

static inline bool snippet_is_running(void) {
    snippet_draws = 1;
    return snippet_frames-- > 0;
}

static inline void draw(double at) { snippet_drawn += at >= 0.0; }

/* 0 unless code that runs frames has drawn nothing. */
static inline int snippet_end(void) { return snippet_draws == 1 && snippet_drawn == 0; }

#define running (snippet_is_running())
#ifndef __cplusplus
#define now (snippet_now())
#endif
#define event_time snippet_clock
#define simulate(bodies, dt) (bodies[0].x += (float)(dt))

/* es_now is that clock as well. */
#undef es_now
#define es_now() snippet_now()

/* Of code that does not declare its own. */
static double x, before;
static const double mouse_x = 100;
static es_loop snippet_loop_of(void) {
    es_loop loop;
    es_loop_init(&loop, 60, 1);
    return loop;
}
static es_loop loop;
static es_frame frame;

static inline void snippet_begin(void) {
    loop = snippet_loop_of();
    frame = es_loop_begin_frame(&loop, snippet_now());
    frame = es_loop_begin_frame(&loop, snippet_now());
    (void)x, (void)before, (void)mouse_x;
}

#endif
