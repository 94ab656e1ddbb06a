/* What the code of the book finds around it, included by a program whose body is that code. A call that fails ends it with the line. */
#ifndef SNIPPET_H
#define SNIPPET_H

#include <evenstep.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 3, KEY_JUMP = 1, KEY_RIGHT = 2 };

/* A clock that goes on by a sixtieth of a second whenever it is read, and thirty frames. */
static int64_t snippet_clock = 0;
static int snippet_frames = 30;
static int snippet_steps = 0;

static inline int64_t snippet_now(void) { return snippet_clock += 16666667; }
static inline bool snippet_is_running(void) { return snippet_frames-- > 0; }
static inline void snippet_step(void) { snippet_steps++; }
static inline void draw(double alpha) { (void)alpha; }
static inline void sleep_until(int64_t time) {
    if (time > snippet_clock) snippet_clock = time;
}

static inline es_status snippet_check(es_status status, const char *file, int line) {
    if (status < 0) {
        fprintf(stderr, "%s:%d: %s\n", file, line, es_status_text(status));
        exit(EXIT_FAILURE);
    }
    return status;
}

#define CHECKED(call) snippet_check(call, __FILE__, __LINE__)
#define es_timestep_create(...) CHECKED((es_timestep_create)(__VA_ARGS__))
#define es_timestep_add_filter(...) CHECKED((es_timestep_add_filter)(__VA_ARGS__))
#define es_timestep_begin_frame(...) CHECKED((es_timestep_begin_frame)(__VA_ARGS__))
#define es_timestep_destroy(...) CHECKED((es_timestep_destroy)(__VA_ARGS__))
#define es_poses_create(...) CHECKED((es_poses_create)(__VA_ARGS__))
#define es_poses_add(...) CHECKED((es_poses_add)(__VA_ARGS__))
#define es_poses_commit(...) CHECKED((es_poses_commit)(__VA_ARGS__))
#define es_poses_draw(...) CHECKED((es_poses_draw)(__VA_ARGS__))
#define es_input_create(...) CHECKED((es_input_create)(__VA_ARGS__))
#define es_input_press(...) CHECKED((es_input_press)(__VA_ARGS__))
#define es_input_release_all(...) CHECKED((es_input_release_all)(__VA_ARGS__))
#define es_input_begin_frame(...) CHECKED((es_input_begin_frame)(__VA_ARGS__))
#define es_input_begin_step(...) CHECKED((es_input_begin_step)(__VA_ARGS__))
#define es_input_presses(...) CHECKED((es_input_presses)(__VA_ARGS__))
#define es_input_is_down(...) CHECKED((es_input_is_down)(__VA_ARGS__))

/* Declarations of names that the snippets use. A call of step is counted, with any arguments. */
#define now (snippet_now())
#define ready (snippet_now())
#define event_time snippet_clock
#define running (snippet_is_running())
#define step(...) snippet_step()

/* Two frames of a timestep, so that the second has a step, and one of each object. */
#define SNIPPET_OBJECTS                                                                                                          \
    es_timestep timestep;                                                                                                        \
    es_poses poses;                                                                                                              \
    es_input input;                                                                                                              \
    es_frame frame;                                                                                                              \
    es_timestep_create(60, 1, &timestep);                                                                                        \
    es_poses_create(2, &poses);                                                                                                  \
    es_input_create(256, &input);                                                                                                \
    for (int row = 0; row < ROWS; row++) es_poses_add(poses, (const float[]){0.0F, 0.0F, 1.0F, 0.0F}, 4, &(size_t){0});          \
    for (int turn = 0; turn < 3; turn++) es_timestep_begin_frame(timestep, now, &frame)

#endif
