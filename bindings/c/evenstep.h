/* SPDX-License-Identifier: MIT OR Apache-2.0
 * evenstep 0.1.0, https://docs.rs/evenstep
 *
 * evenstep.h: equal simulation steps at any frame rate, smooth drawing between them, each press of a key in exactly one step.
 *
 *     #include "evenstep.h"
 *
 *     es_loop loop;
 *     es_loop_init(&loop, 60, 1);                                      // 60/1 steps a second
 *     while (running) {
 *         es_frame frame = es_loop_begin_frame(&loop, es_now());
 *         for (es_step step; es_frame_next(&frame, &step);) {
 *             before = x;
 *             x += 2.0 * step.dt;                                      // the simulation: 2 units a second
 *         }
 *         draw(es_blend(before, x, frame.alpha));                      // between its last two states
 *     }
 *
 * This file is all of it: copy it beside your own and include it wherever you want, in C99 to C23 and C++17 to C++23. There is nothing
 * to define, link or free: every function is static and inline, every object is a plain struct of yours, which you may copy and
 * save. It allocates nothing, prints nothing, keeps no global state and reads no clock except in es_now.
 *
 * CONTENTS   The loop. The filter. Clocks that follow. Input. Blending. The clock. C++. Then the code.
 *
 * WHERE      Once for each image, before it is drawn. SDL 3: after SDL_PollEvent, now = SDL_GetTicksNS(). SDL 2: SDL_GetTicks64() * 1000000.
 *            GLFW: after glfwPollEvents, es_now(). raylib: before BeginDrawing, es_now(). sokol: in frame_cb, es_now(). A server: es_now()
 *            after its timer. An emulator: es_loop_init(&loop, cycles a second, cycles a picture).
 *
 * TIME       Nanoseconds of any clock, as uint64_t; while it is behind an earlier time of its own, time stands still. The loop counts in
 *            integers, so nothing drifts: at a constant rate and time scale the number of steps is exact for ever (a time scale rounds to
 *            whole nanoseconds and carries the rest).
 *            The steps are the same whatever the frame rate, and the same bits as those of the crate evenstep for Rust, in every
 *            compiler and with every flag. What is a double (alpha, dt, blending) is the same bits with IEEE arithmetic: SSE2 or NEON,
 *            -ffp-contract=off, no -ffast-math; otherwise it is within three units in the last place of what is blended.
 * THREADS    An object belongs to the thread that uses it; different objects are independent.
 * ERRORS     Functions that can refuse return false and change nothing. No value of an argument is undefined behaviour, except a pointer
 *            that does not point to what it should.
 * NOT HERE   Several rates in one loop, saved states and rollback, frame statistics, threads, recordings: they are in the crate. */
#ifndef EVENSTEP_H
#define EVENSTEP_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define ES_VERSION "0.1.0"

/* ---------------------------------------------------------------------------------------------------------------------------------
 * THE LOOP
 *
 * Give it the time once a frame; it returns how many steps to run, and then how far between the last two states to draw. */

/* Of the filter, which evens out the times of frames: see THE FILTER. Zeroed, it is before its first frame. */
typedef struct es_filter {
    int64_t period;   /* the estimated time between frames, in 2^-16 ns */
    int64_t residual; /* all input less all output, in nanoseconds: by how much the loop's time lags the clock */
    uint32_t frames;
    int32_t at_bound;
} es_filter;

/* A loop. Set it by the functions below. A zeroed loop grants no steps. */
typedef struct es_loop {
    uint64_t tick;                     /* steps granted so far: the index of the next one */
    uint32_t rate_numer, rate_denom;   /* steps a second, in lowest terms */
    uint32_t scale_numer, scale_denom; /* simulated seconds a second, in lowest terms */
    uint32_t max_steps;                /* of a frame */
    bool is_filtered;                  /* whether begin_frame evens out times; true unless you set it before the first frame */
    es_filter filter;
    struct es_playback *playback;      /* the clock that its times are taken from, in place of the filter; NULL unless you set one of them */
    struct es_refresh *refresh;
    uint64_t backward_frames;          /* frames of begin_frame whose time was before that of an earlier one */
    /* Private. Times are in units of 1/rate_numer ns, of which a step has 10^9 * rate_denom, unless they say otherwise. */
    uint64_t now;             /* of the last frame, nanoseconds of the clock */
    uint64_t longest_delta;   /* nanoseconds */
    uint64_t fraction;        /* arrived towards the next step: less than a step */
    uint64_t backlog;         /* kept back by the overrun policy */
    uint64_t drawn;           /* the fraction that is drawn, which never goes back */
    uint64_t max_backlog;     /* nanoseconds of simulated time */
    uint64_t last_overstep;   /* fraction and backlog before the last frame */
    uint64_t last_drawn;      /* drawn before it */
    uint64_t last_number;     /* counts frames, so that an old one is not given back */
    uint64_t last_passed, last_delta; /* since the frame before the last one, by the clock and by the filter, nanoseconds */
    int64_t wanted_max_delta; /* nanoseconds; negative for the default */
    int64_t wanted_max_steps; /* negative for the default */
    uint32_t remainder;       /* of the time scale, in 1/scale_denom ns */
    uint32_t speed_numer, speed_denom, single_steps, last_steps, last_single_steps;
    uint8_t overrun, activity;
    bool has_begun, drops_backlog, last_stands_still;
} es_loop;

/* What to do in a frame. */
typedef struct es_frame {
    uint64_t first_tick;   /* the index of its first step */
    uint64_t tick;         /* the index of the step after its last one: the steps that the simulation has made when they are done */
    uint32_t steps;        /* tick - first_tick */
    uint32_t single_steps; /* how many of them es_loop_step_once asked for */
    double alpha;          /* where to draw between the previous state, 0, and the current one, towards 1; also below 1 as a float */
    double dt;             /* the length of every step, in seconds */
    uint64_t clamped;      /* lost: nanoseconds of the clock beyond the longest delta */
    uint64_t dropped;      /* lost: steps that were due and are dropped by the overrun policy */
    uint64_t paused;       /* nanoseconds of the clock that belong to a pause; not lost */
    bool is_behind;        /* whether steps are kept back for later frames */
    uint64_t next;         /* private: of es_frame_next */
    uint64_t number;       /* private: of es_loop_give_back */
} es_frame;

/* One step. */
typedef struct es_step {
    uint64_t tick; /* its index, from 0 on */
    double dt;     /* its length in seconds, the same for all: simulate by this, never by the time of a frame */
    bool is_last;  /* whether it is the last of its frame: copy the previous state before this one only, if copying is expensive */
} es_step;

/* A loop of numer/denom steps a second: 60/1, 60000/1001. It is at tick 0, has the filter, drops steps that do not fit, accepts frames of
 * up to 100 ms. The display may have any rate. False, and the loop is zeroed, if a number is 0. */
static inline bool es_loop_init(es_loop *loop, uint32_t numer, uint32_t denom);

/* Begins a frame at a time of your clock in nanoseconds: es_now(), SDL_GetTicksNS(), your engine's. The first frame is the beginning: no
 * time has passed in it. If the clock goes back, time stands still until it has caught up, and backward_frames counts. Run the frame's
 * steps, then draw. */
static inline es_frame es_loop_begin_frame(es_loop *loop, uint64_t now);

/* The same for a program that has the time since the last frame and no use for the filter: replays, tests, tools. Use one or the
 * other; es_input needs es_loop_begin_frame. */
static inline es_frame es_loop_advance(es_loop *loop, uint64_t delta);

/* The next step of a frame. False after the last one. */
static inline bool es_frame_next(es_frame *frame, es_step *step);

/* Takes back the last `unrun` steps of the last frame, for which there was no time: stop your loop, call this, draw. The overrun policy
 * decides about them. All of them if there are fewer; nothing if it is not the last frame. */
static inline void es_loop_give_back(es_loop *loop, es_frame *frame, uint32_t unrun);

/* Begins a pause with the next es_loop_begin_frame; the steps of the present frame still run. A menu, a level that loads, a hidden window. Time
 * passes without steps and is reported in es_frame.paused. */
static inline void es_loop_pause(es_loop *loop);

/* Ends a pause: the next frame began within it and is its last. */
static inline void es_loop_resume(es_loop *loop);

/* The same, and drops the steps that were kept back before. Without a pause it makes the next frame one: for a stall that you notice too
 * late. */
static inline void es_loop_resume_dropping(es_loop *loop);

/* From es_loop_pause to es_loop_resume, so that a key that toggles a pause works twice between two frames. */
static inline bool es_loop_is_paused(const es_loop *loop);

/* Grants one more step in the next frame, which costs no time: to step through a pause by a key. Call it before the first frame, and after
 * a reset, to simulate a step ahead: what is drawn is then the present and not a step ago, and input acts a step later. */
static inline void es_loop_step_once(es_loop *loop);

/* Simulated seconds a second: 1/2 is slow motion, 0/1 stands still, 3/1 is fast. The length of a step stays. False if denom is 0. At
 * a constant scale time is exact to a nanosecond for ever; a change of the scale loses less than one. */
static inline bool es_loop_set_time_scale(es_loop *loop, uint32_t numer, uint32_t denom);

/* What becomes of steps that are due but do not fit into a frame, because they exceed max_steps or were given back.
 * drop: they are lost, and the game is slower while the machine is too slow. The default.
 * carry: up to max_backlog nanoseconds are made up for in the next frames, as fast as max_steps allows: game time matches real time.
 * stretch: they are made up for at numer/denom times the speed. False if denom is 0. Below 1/1 it is 1/1: they stay behind. */
static inline void es_loop_set_drop(es_loop *loop);
static inline bool es_loop_keeps_time(const es_loop *loop); /* whether it is another policy than drop */
static inline void es_loop_set_carry(es_loop *loop, uint64_t max_backlog);
static inline bool es_loop_set_stretch(es_loop *loop, uint32_t numer, uint32_t denom);

/* The longest frame in nanoseconds; what exceeds it is es_frame.clamped, so that a breakpoint is no thousand steps. A negative number is
 * the default: where steps are dropped, 100 ms in es_loop_begin_frame with the filter, so that a machine that is too slow for the steps goes
 * on drawing, about ten frames a second in slow motion, and 250 ms in es_loop_advance and without the filter; no limit where they are kept. A frame never has more than 2^32 steps. */
static inline void es_loop_set_max_delta(es_loop *loop, int64_t nanoseconds);

/* The most steps of a frame without single steps; the others follow the overrun policy. A negative number is the default: as many as are
 * in max_delta if that is set, else in 250 ms, at normal speed or faster. */
static inline void es_loop_set_max_steps(es_loop *loop, int64_t steps);

/* Back to tick 0 with the same settings. The clock goes on, and so does a pause. */
static inline void es_loop_reset(es_loop *loop);

/* ---------------------------------------------------------------------------------------------------------------------------------
 * THE FILTER
 *
 * A display shows frames at even intervals, but their times are read late by varying amounts; at 60 steps on a display of 60 Hz, a third
 * of the frames would have no step or two. es_loop_begin_frame passes the times through this filter. It finds the interval, and stays
 * near the clock: never over 4 ms ahead, and never over 3 ms behind. Time is neither lost nor won. Integers only. */

/* The even delta for a delta, in nanoseconds. For loops of your own. */
static inline uint64_t es_filter_apply(es_filter *filter, uint64_t delta);

/* ---------------------------------------------------------------------------------------------------------------------------------
 * CLOCKS THAT FOLLOW A SONG OR THE DISPLAY
 *
 * A song's position is reported in blocks, and the device that plays it is not as fast as your clock. es_playback is a clock that is as even
 * as the filter's and stays with the song. Give it to the loop, which then takes its times from it:
 *
 *     static es_playback song;
 *     es_playback_init(&song);
 *     loop.playback = &song;                                           // before the first frame
 *     ...
 *     es_playback_report(&song, (es_report){.at = es_now(), .position = samples_played * 1000000000 / 48000});
 *     es_frame frame = es_loop_begin_frame(&loop, es_now());
 *     draw_notes_at(es_playback_position(&song));
 *
 * The time of the loop is even, never goes back, and stands still only while the song does. The position at which a press is judged
 * (es_playback_position_at) is the best estimate at once. Events keep their order. The book, page "Follow a song", has what holds. */

/* Where a song is, and when: the position at a time of your clock, in nanoseconds. */
typedef struct es_report {
    uint64_t at, position;
} es_report;

/* Private: what both clocks have. Nanoseconds since the first frame, whose time is origin. */
typedef struct esi_line {
    int64_t at, time, rate;
} esi_line;

typedef struct esi_followed {
    uint64_t origin;
    int64_t now, time;
    esi_line events, earlier_events;
    es_filter filter;
    bool has_begun, is_pause; /* is_pause: of the last frame */
    uint8_t pause;
} esi_followed;

/* Private members; what each is for is in the crate, filter/playback_clock/song.rs. */
typedef struct es_playback {
    esi_followed followed;
    int64_t latency, loop_start, loop_length, playback_rate, drift, known_drift, last_rate, rate_changed_at, offset;
    int64_t estimate_at, estimate, suspect_at, suspect, spread, lead, last_at, last_position, changed_at, interval;
    int64_t jump, block, difference, step, room, asked, gap;
    uint32_t differences, changes, reports;
    bool has_offset, stands, has_suspect, has_last, is_placed, moves, hurries, went_round;
} es_playback;

/* Before the song moves it is the filter. */
static inline void es_playback_init(es_playback *clock);

/* The constant latency of the output device in nanoseconds: the position that is heard is earlier by it than the reported one. */
static inline void es_playback_set_latency(es_playback *clock, uint64_t latency);

/* The speed at which the song is played: at least 1/16, at most 16. False if denom is 0. */
static inline bool es_playback_set_rate(es_playback *clock, uint32_t numer, uint32_t denom);

/* From the end the song's position goes back to the start, and time goes on. None if the end is not after the start. */
static inline void es_playback_set_loop_points(es_playback *clock, uint64_t start, uint64_t end);

/* Takes a report. As often as you like. Before the first frame and in a pause it has no effect. */
static inline void es_playback_report(es_playback *clock, es_report report);

/* Begins a frame at a time of your clock, if no loop does. Returns its time on this clock: zero in the first frame. */
static inline uint64_t es_playback_begin_frame(es_playback *clock, uint64_t now);

/* Its time at a time of your clock: for es_input_press and the like. */
static inline uint64_t es_playback_time_at(const es_playback *clock, uint64_t at);

/* The position of the song that is heard in the last frame, for what is drawn at it; and at a time of your clock, for judging a press. Zero
 * until the song has moved. */
static inline uint64_t es_playback_position(const es_playback *clock);
static inline uint64_t es_playback_position_at(const es_playback *clock, uint64_t at);

/* Begins a pause of the song and of the loop that has the clock: time stands still from the last frame on, and presses reach no step. Ends it:
 * the next frame is its last. */
static inline void es_playback_pause(es_playback *clock);
static inline void es_playback_resume(es_playback *clock);

/* Whether the song moves: false before it has begun, in a pause, and while it waits or has ended. */
static inline bool es_playback_is_following(const es_playback *clock);

/* Its seconds for each second of your clock. */
static inline double es_playback_speed(const es_playback *clock);

/* Private members; see refresh_clock.rs. */
typedef struct es_refresh {
    esi_followed followed;
    uint32_t numer, denom, frames;
    uint64_t steps, refreshes, whole, rest, rests;
    int64_t phase, spread, period;
} es_refresh;

/* A clock for numer/denom steps a second that follows the display, if that shows a frame in every refresh: each refresh brings the same part
 * of a step. Give it to the loop: loop.refresh = &display. The simulation is then faster or slower by up to 2 %, or by up to 0.5 % in a pattern
 * of more than 8 refreshes. Without a period, or a pattern of at most 64 refreshes, it steps aside, and is the filter; it needs 256 frames to
 * know. False, and it stays aside, if a number is 0. */
static inline bool es_refresh_init(es_refresh *clock, uint32_t numer, uint32_t denom);

/* As of es_playback. speed: resample the sound of the simulation by it. */
static inline uint64_t es_refresh_begin_frame(es_refresh *clock, uint64_t now);
static inline uint64_t es_refresh_time_at(const es_refresh *clock, uint64_t at);
static inline void es_refresh_pause(es_refresh *clock);
static inline void es_refresh_resume(es_refresh *clock);
static inline bool es_refresh_is_following(const es_refresh *clock);
static inline double es_refresh_speed(const es_refresh *clock);

/* ---------------------------------------------------------------------------------------------------------------------------------
 * INPUT
 *
 * Code that asks "is the key down now?" in each step misses a tap between two frames and sees a press twice in a frame of two steps. This
 * takes events, and gives each to one step:
 *
 *     static es_input input;                                           // zeroed
 *     while (poll(&event)) {
 *         if (event.type == KEY_DOWN) es_input_press(&input, event.key);
 *         if (event.type == KEY_UP) es_input_release(&input, event.key);
 *         if (event.type == FOCUS_LOST) es_input_release_all(&input);
 *     }
 *     es_frame frame = es_loop_begin_frame(&loop, now);
 *     es_input_begin_frame(&input, &loop);
 *     for (es_step step; es_frame_next(&frame, &step);) {
 *         es_input_begin_step(&input, &step);
 *         if (es_input_is_down(&input, KEY_RIGHT)) x += 3.0 * step.dt;
 *         if (es_input_presses(&input, KEY_JUMP) > 0) jump();
 *     }
 *
 * These act in the next step that runs: for GLFW, raylib, sokol and all libraries that do not say when a key went down. One that only says
 * which keys are down: push what changes. If your library states the time of an event, as SDL does, use the calls that end in _at, with
 * nanoseconds of the clock that times the frames: begin frames by SDL's clock and not by es_now. Such an event acts in the step that covers
 * its time, 4 ms later with the filter, the most by which it may lead the clock, so that the step depends on the time alone. One that is
 * older than the last frame acts in the next step.
 * Before the first frame and in a pause (also at a time scale of 0) presses are forgotten, and what is held or released is kept.
 *
 * Smaller than InputBuffer in Rust: keys are numbers below ES_KEYS; no motion and no wheel (add those up yourself and take the sum in the
 * first step of a frame); of more than ES_EVENTS that wait, only what is held in the end is kept. */

enum {
    ES_KEYS = 512,  /* room for the scancodes of SDL, the keys of GLFW and raylib, and buttons above them */
    ES_EVENTS = 128 /* the most that wait for their step */
};

/* Private. */
typedef struct es_event {
    uint64_t time, tick;
    uint16_t key;
    uint8_t kind;
    bool is_state; /* what is left of an event of a pause */
    bool is_open;  /* has a tick and no time: the next frame tells if it belongs to a pause */
} es_event;

/* Input that waits, and the keys of the present step. Zeroed, no key is down. */
typedef struct es_input {
    es_event events[ES_EVENTS]; /* sorted by time; the first `assigned` have a step */
    uint32_t count, assigned;
    uint32_t refused; /* events that found no room */
    uint32_t late;    /* events with a time that came after the frame of it, and acted in the next step */
    uint32_t foreign; /* events whose time was over a second before the last frame or after the next: it is of another clock */
    uint32_t ahead;   /* private, as all that follows */
    bool is_resyncing, has_begun;
    uint64_t reached, delay, last_now, pause_begin, pause_end;
    uint64_t asked, given_back; /* ticks, plus one; 0 for none */
    bool device[ES_KEYS], held[ES_KEYS]; /* by the last event; by the last event of a step */
    uint8_t presses[ES_KEYS], releases[ES_KEYS];
} es_input;

/* Takes an event, without a time or with it. Repetitions of a press are ignored, as long as the key is down. False if the key is not below ES_KEYS, or if there is no
 * room: then only what is held in the end reaches the simulation. */
static inline bool es_input_press(es_input *input, uint32_t key);
static inline bool es_input_release(es_input *input, uint32_t key);
static inline bool es_input_press_at(es_input *input, uint64_t at, uint32_t key);
static inline bool es_input_release_at(es_input *input, uint64_t at, uint32_t key);

/* All keys go up, as when a window loses the focus and hears no releases any more. */
static inline bool es_input_release_all(es_input *input);
static inline bool es_input_release_all_at(es_input *input, uint64_t at);

/* Finds the steps of events. Call it after es_loop_begin_frame, and after es_loop_give_back if no step has run. */
static inline void es_input_begin_frame(es_input *input, const es_loop *loop);

/* Takes the events of a step. Call it in every step; again for the same step it changes nothing, and a step that was given back after it
 * has the same input when it comes again. */
static inline void es_input_begin_step(es_input *input, const es_step *step);

/* Of the present step: whether a key is down at its end; or was pressed in it as well, so that a tap shorter than a step acts in one; how
 * often it was pressed (255 at most); whether it was released. */
static inline bool es_input_is_held_at_end(const es_input *input, uint32_t key);
static inline bool es_input_is_down(const es_input *input, uint32_t key);
static inline uint32_t es_input_presses(const es_input *input, uint32_t key);
static inline bool es_input_was_released(const es_input *input, uint32_t key);

/* ---------------------------------------------------------------------------------------------------------------------------------
 * BLENDING
 *
 * What is drawn is the state between the last two: keep both, and blend by es_frame.alpha. At alpha <= 0 it is the older state and at
 * alpha >= 1 the newer one, bit for bit, and a state that does not change keeps its bits. A body that teleports, or is new, must not be
 * drawn between: write its new state to both. One that is new and moves, such as a shot from a moving gun, is here now and was there a step
 * ago: write the state here to the newer one and the state there to the older one.
 *
 * One number: */
static inline double es_blend(double older, double newer, double alpha);
static inline float es_blendf(float older, float newer, double alpha);

/* The shorter way round, in units of which `turn` are a whole turn: 2 pi, 360, the width of a world that is entered again on the other
 * side. The result may lie outside of one turn. A turn that is not above 0 does not wrap. */
static inline double es_blend_angle(double older, double newer, double turn, double alpha);

/* Arrays in the layout that you have: `count` rows, each so many bytes after the one before. Older and newer rows are alike; drawn rows
 * may be others, such as those of a buffer for the graphics card.
 *
 *     struct body { float x, y, angle; } before[N], now[N];
 *     struct instance { float x, y, angle, size; } drawn[N];
 *     es_rows rows = {N, sizeof before[0], sizeof drawn[0]};
 *     es_blend_floats(rows, &drawn->x, &before->x, &now->x, 2, frame.alpha);
 *     es_blend_angles(rows, &drawn->angle, &before->angle, &now->angle, 6.283185307179586, frame.alpha);
 *
 * Any alignment will do. `drawn` may be `older` or `newer` if its rows are alike, and may not overlap them otherwise. A stride of 0 reads or
 * writes the same row `count` times. NaN and infinities pass into the result of their own row, and of no other.
 *
 * For the threads of your pool, advance the pointers to the first row of a part and give its `count`. Nothing is allocated or shared, and
 * with IEEE arithmetic the bits are those of one call for all rows. */
typedef struct es_rows {
    size_t count, stride, drawn_stride;
} es_rows;

/* `width` numbers next to each other in each row: positions, sizes, colours, zoom. */
static inline void es_blend_floats(es_rows rows, void *drawn, const void *older, const void *newer, size_t width, double alpha);
static inline void es_blend_doubles(es_rows rows, void *drawn, const void *older, const void *newer, size_t width, double alpha);

/* A float in each row, as es_blend_angle. */
static inline void es_blend_angles(es_rows rows, void *drawn, const void *older, const void *newer, double turn, double alpha);

/* A rotation in the plane in each row: cosine and sine, two floats. The shorter way at an even speed; half a turn goes
 * counter-clockwise. Lengths must be 1 to within a thousandth; the result is of length 1. */
static inline void es_blend_rot2s(es_rows rows, void *drawn, const void *older, const void *newer, double alpha);

/* A rotation in space in each row: a unit quaternion, four floats, x y z w (or w x y z, whose last bits may differ). The shorter way at an
 * even speed, within 1e-6 rad of slerp. */
static inline void es_blend_quats(es_rows rows, void *drawn, const void *older, const void *newer, double alpha);

/* Where the floats of a matrix are. Its columns are the images of the axes, and the position. */
typedef enum es_matrix {
    ES_MATRIX_4X4_COLUMNS, /* 16, column after column: OpenGL, glm, glam; Direct3D's rows for row vectors */
    ES_MATRIX_4X4_ROWS,    /* 16, row after row: raylib's struct Matrix */
    ES_MATRIX_3X4_ROWS,    /* 12, the same without the last row: transforms of ray tracing, GameCube's Mtx */
    ES_MATRIX_2X3_COLUMNS  /* 6, in the plane: a b c d tx ty of canvases and vector graphics */
} es_matrix;

/* An affine matrix in each row. Blending floats would shear and shrink it; this takes it apart into rotation and stretch, blends those and
 * puts it together again. A mirrored matrix stays mirrored; where one is mirrored and the other is not, the newer one's axes count. Without
 * a rotation, because an axis has no length or x and y have one direction, axes are blended float by float. The last row of a 4 x 4 matrix
 * is the newer one's; a projection cannot be blended. In C, link with -lm. */
static inline void es_blend_matrices(es_rows rows, void *drawn, const void *older, const void *newer, es_matrix matrix, double alpha);

/* For programs that do not say when a body or a camera is put elsewhere: ports of old games, scenes of others. Whether a step is a cut
 * and no motion: farther than `distance` or turned by more than `turn` radians, the most within a step from rest, and not explained by the
 * steps before it. From the next step on a motion that goes on is none, however fast. Zeroed, one for each body; call it once in each
 * step, and copy the newer state to the older one if it returns true. Of a matrix without a rotation only the distance counts. A state that
 * is not finite is a cut. In C, link with -lm. */
typedef struct es_cut {
    double moved[2][3], turned[2][3]; /* private: the last step that was explained, and the last one */
} es_cut;

static inline bool es_is_matrix_cut(es_cut *cut, const void *older, const void *newer, es_matrix matrix, double distance, double turn);

/* The same of three floats of position and a quaternion x y z w each; NULL for quaternions that do not turn. */
static inline bool es_is_cut(es_cut *cut, const float older[3], const float newer[3], const float older_quat[4], const float newer_quat[4],
                             double distance, double turn);

/* ---------------------------------------------------------------------------------------------------------------------------------
 * THE CLOCK
 *
 * Nanoseconds of a clock that does not go back. #define ES_NO_CLOCK before you include this file to leave it out, with its include of
 * <time.h>. Strict C99 on POSIX systems has no such clock: compile with -std=gnu99 or -D_POSIX_C_SOURCE=200809L, or pass your own times. */
#ifndef ES_NO_CLOCK
#if defined(_WIN32)
#ifdef __cplusplus
extern "C" {
#endif
union _LARGE_INTEGER; /* as <windows.h> declares them, which is not included */
__declspec(dllimport) int __stdcall QueryPerformanceCounter(union _LARGE_INTEGER *);
__declspec(dllimport) int __stdcall QueryPerformanceFrequency(union _LARGE_INTEGER *);
#ifdef __cplusplus
}
#endif
static inline uint64_t es_now(void) {
    int64_t count = 0, hertz = 1;
    QueryPerformanceCounter((union _LARGE_INTEGER *)&count);
    QueryPerformanceFrequency((union _LARGE_INTEGER *)&hertz);
    return (uint64_t)(count / hertz * 1000000000 + count % hertz * 1000000000 / hertz);
}
#else
#include <time.h>
#ifdef CLOCK_MONOTONIC
static inline uint64_t es_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}
#else
#define es_now() es_now_needs_gnu99_or_D_POSIX_C_SOURCE_200809L /* an error where it is used */
#endif
#endif
#endif

/* ---------------------------------------------------------------------------------------------------------------------------------
 * THE CODE */

enum { ESI_DROP, ESI_CARRY, ESI_STRETCH };
enum { ESI_RUNNING, ESI_PAUSED, ESI_RESUMING };
enum { ESI_PRESS, ESI_HOLD, ESI_RELEASE, ESI_RELEASE_ALL };

#define ESI_DEFAULT_MAX_DELTA ((uint64_t)250000000)
#define ESI_DRAWING_MAX_DELTA ((uint64_t)100000000) /* of frames that are drawn: those with the filter */

static inline uint64_t esi_min(uint64_t a, uint64_t b) { return a < b ? a : b; }
static inline uint64_t esi_max(uint64_t a, uint64_t b) { return a > b ? a : b; }
static inline uint64_t esi_add(uint64_t a, uint64_t b) { return a > UINT64_MAX - b ? UINT64_MAX : a + b; }
static inline uint64_t esi_sub(uint64_t a, uint64_t b) { return a > b ? a - b : 0; }
static inline uint64_t esi_mul(uint64_t a, uint64_t b) { return b != 0 && a > UINT64_MAX / b ? UINT64_MAX : a * b; }

static inline int64_t esi_clamp(int64_t number, int64_t least, int64_t most) { return number < least ? least : number > most ? most : number; }
static inline int64_t esi_abs(int64_t number) { return number < 0 ? -number : number; }
static inline int64_t esi_min_signed(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t esi_max_signed(int64_t a, int64_t b) { return a > b ? a : b; }

/* The largest power of two in a number above 0, at most `most`. */
static inline uint32_t esi_log2(uint32_t number, uint32_t most) {
    uint32_t log = 0;
    while (log < most && number >> (log + 1) != 0) log++;
    return log;
}

/* Adds b to a, both up to `modulus`, and takes that off if the sum is not below it. Returns whether it did. */
static inline bool esi_add_modulo(uint64_t *a, uint64_t b, uint64_t modulus) {
    const bool is_over = *a >= modulus - b;
    *a = is_over ? *a - (modulus - b) : *a + b;
    return is_over;
}

/* a * b / divisor, rounded down, and the rest, for b <= divisor. The product may have 128 bits. */
static inline uint64_t esi_share(uint64_t a, uint64_t b, uint64_t divisor, uint64_t *rest) {
    const uint64_t product = esi_mul(a, b);
    uint64_t quotient = 0;
    int bit;
    if (product < UINT64_MAX) { /* nearly always */
        *rest = product % divisor;
        return product / divisor;
    }
    *rest = 0;
    for (bit = 63; bit >= 0; bit--) {
        quotient = 2 * quotient + esi_add_modulo(rest, *rest, divisor);
        if (a >> bit & 1) quotient += esi_add_modulo(rest, b, divisor);
    }
    return quotient;
}

static inline void esi_reduce(uint32_t *numer, uint32_t *denom) {
    uint32_t a = *numer, b = *denom;
    while (b != 0) {
        const uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    *numer /= a;
    *denom /= a;
}

static inline uint64_t esi_step_units(const es_loop *loop) { return (uint64_t)1000000000 * loop->rate_denom; }

/* The most that a delta brings, and the most that is kept back: 2^62 units and less than 2^32 steps. So all sums fit into 64 bits: less
 * than a step, which is shorter than 2^62, a delta, and the backlog. */
static inline uint64_t esi_most_units(const es_loop *loop) {
    return esi_min(esi_mul(esi_step_units(loop), UINT32_MAX), (uint64_t)1 << 62);
}

/* The longest delta that brings no more at a time scale, and whose product with the scale fits into 64 bits. */
static inline uint64_t esi_longest(const es_loop *loop, uint32_t numer, uint32_t denom) {
    const uint64_t simulated = esi_mul(esi_most_units(loop) / loop->rate_numer, denom);
    return numer == 0 ? UINT64_MAX : esi_min(simulated, UINT64_MAX - (denom - 1)) / numer;
}

/* Works out what follows from the settings. */
static inline void esi_settle(es_loop *loop) {
    const uint64_t limit = esi_longest(loop, loop->scale_numer, loop->scale_denom);
    const uint64_t wanted = (uint64_t)loop->wanted_max_delta;
    const bool is_default = loop->wanted_max_delta < 0;
    loop->longest_delta = esi_min(limit, !is_default ? wanted : es_loop_keeps_time(loop) ? UINT64_MAX : ESI_DEFAULT_MAX_DELTA);
    if (loop->wanted_max_steps >= 0) {
        loop->max_steps = (uint32_t)esi_min((uint64_t)loop->wanted_max_steps, UINT32_MAX);
    } else {
        const bool is_slow = loop->scale_numer < loop->scale_denom;
        const uint32_t numer = is_slow ? 1 : loop->scale_numer, denom = is_slow ? 1 : loop->scale_denom;
        const uint64_t delta = esi_min(is_default ? ESI_DEFAULT_MAX_DELTA : wanted, esi_longest(loop, numer, denom));
        const uint64_t simulated = delta * numer / denom + (delta * numer % denom != 0);
        const uint64_t step = esi_step_units(loop), units = simulated * loop->rate_numer;
        loop->max_steps = (uint32_t)esi_min(units / step + (units % step != 0), UINT32_MAX);
    }
}

static inline bool es_loop_init(es_loop *loop, uint32_t numer, uint32_t denom) {
    memset(loop, 0, sizeof *loop);
    if (numer == 0 || denom == 0) return false;
    esi_reduce(&numer, &denom);
    loop->rate_numer = numer;
    loop->rate_denom = denom;
    loop->scale_numer = loop->scale_denom = 1;
    loop->wanted_max_delta = loop->wanted_max_steps = -1;
    loop->is_filtered = true;
    esi_settle(loop);
    return true;
}

/* Fills in what the state of the loop says. */
static inline void esi_show(const es_loop *loop, es_frame *frame) {
    const double largest = 0.999999940395355224609375; /* below 1 also as a float */
    const double alpha = (double)loop->drawn / (double)esi_step_units(loop);
    frame->tick = loop->tick;
    frame->steps = loop->last_steps;
    frame->first_tick = loop->tick - loop->last_steps;
    frame->alpha = alpha < largest ? alpha : largest;
    frame->is_behind = loop->backlog > 0;
    frame->number = loop->last_number;
}

/* Keeps as many steps for later as the policy allows. Returns the number of the others. */
static inline uint64_t esi_keep_back(es_loop *loop, uint64_t steps) {
    const uint64_t step = esi_step_units(loop);
    const uint64_t most = esi_min(esi_mul(loop->max_backlog, loop->rate_numer), esi_most_units(loop));
    const uint64_t kept = esi_min(steps, esi_sub(most, loop->backlog) / step);
    loop->backlog += kept * step;
    return steps - kept;
}

/* A frame of a delta of which so much is admitted. */
static inline es_frame esi_advance(es_loop *loop, uint64_t delta, uint64_t longest) {
    const uint64_t step = esi_step_units(loop);
    uint64_t scaled, arrived, available, released, due, granted, wanted, count;
    es_frame frame;
    memset(&frame, 0, sizeof frame);
    if (loop->rate_numer == 0) return frame;
    if (loop->drops_backlog) {
        const uint64_t overstep = loop->fraction + loop->backlog;
        loop->drops_backlog = false;
        frame.dropped = overstep / step;
        loop->fraction = overstep % step;
        loop->backlog = 0;
        loop->drawn = esi_max(loop->drawn, loop->fraction);
    }
    loop->last_overstep = loop->fraction + loop->backlog;
    loop->last_drawn = loop->drawn;
    /* Admit: a pause takes the delta, and the longest delta limits it. */
    if (loop->activity != ESI_RUNNING) {
        if (loop->activity == ESI_RESUMING) loop->activity = ESI_RUNNING;
        frame.paused = delta;
        delta = 0;
    } else if (delta > longest && loop->scale_numer > 0) {
        frame.clamped = delta - longest;
        delta = longest;
    }
    loop->last_stands_still = (delta == 0 || loop->scale_numer == 0) && loop->single_steps == 0;
    scaled = delta * loop->scale_numer + loop->remainder;
    loop->remainder = (uint32_t)(scaled % loop->scale_denom);
    arrived = scaled / loop->scale_denom * loop->rate_numer;

    /* Release: what is kept back comes out as fast as the policy allows. */
    available = loop->backlog + arrived;
    released = arrived == 0 ? 0 : available;
    if (arrived > 0 && loop->overrun == ESI_STRETCH && loop->backlog > 0) {
        const uint64_t whole = esi_mul(arrived / loop->speed_denom, loop->speed_numer);
        released = esi_min(available, esi_add(whole, arrived % loop->speed_denom * loop->speed_numer / loop->speed_denom));
    }
    loop->backlog = available - released;

    /* Divide, and keep back what does not fit. */
    due = (loop->fraction + released) / step;
    loop->fraction = (loop->fraction + released) % step;
    granted = esi_min(due, loop->max_steps);
    if (due > granted) frame.dropped += esi_keep_back(loop, due - granted);

    /* Grant, and draw: in a frame without steps no less than before. */
    wanted = esi_min(granted + loop->single_steps, UINT32_MAX);
    count = esi_min(wanted, UINT64_MAX - loop->tick);
    frame.dropped += wanted - count;
    loop->tick += count;
    loop->drawn = count == 0 ? esi_max(loop->drawn, loop->fraction) : loop->fraction;
    loop->single_steps = 0;
    loop->last_steps = (uint32_t)count;
    loop->last_single_steps = (uint32_t)(wanted - granted);
    loop->last_number++;
    frame.single_steps = loop->last_single_steps;
    frame.dt = (double)loop->rate_denom / (double)loop->rate_numer;
    esi_show(loop, &frame);
    frame.next = frame.first_tick;
    return frame;
}

static inline es_frame es_loop_advance(es_loop *loop, uint64_t delta) { return esi_advance(loop, delta, loop->longest_delta); }

static inline const esi_followed *esi_followed_of(const es_loop *loop) {
    return loop->playback != NULL ? &loop->playback->followed : loop->refresh != NULL ? &loop->refresh->followed : NULL;
}

static inline es_frame es_loop_begin_frame(es_loop *loop, uint64_t now) {
    const esi_followed *followed = esi_followed_of(loop);
    const bool is_filtered = loop->is_filtered && followed == NULL;
    const bool draws_on = is_filtered && loop->wanted_max_delta < 0 && !es_loop_keeps_time(loop);
    const uint64_t longest = draws_on ? esi_min(loop->longest_delta, ESI_DRAWING_MAX_DELTA) : loop->longest_delta;
    uint64_t delta = 0;
    loop->last_passed = 0;
    if (loop->has_begun) {
        loop->backward_frames += now < loop->now;
        delta = loop->last_passed = esi_sub(now, loop->now);
        loop->now += delta;
        if (is_filtered) delta = es_filter_apply(&loop->filter, delta);
    } else {
        loop->has_begun = true;
        loop->now = now;
    }
    if (followed != NULL) {
        const uint64_t last = (uint64_t)followed->time;
        delta = (loop->playback != NULL ? es_playback_begin_frame(loop->playback, now) : es_refresh_begin_frame(loop->refresh, now)) - last;
    }
    loop->last_delta = delta;
    return esi_advance(loop, delta, longest);
}

static inline bool es_frame_next(es_frame *frame, es_step *step) {
    if (frame->next >= frame->tick) return false;
    step->tick = frame->next++;
    step->dt = frame->dt;
    step->is_last = frame->next == frame->tick;
    return true;
}

static inline void es_loop_give_back(es_loop *loop, es_frame *frame, uint32_t unrun) {
    if (loop->rate_numer == 0 || frame->number != loop->last_number) return;
    if (unrun > loop->last_steps) unrun = loop->last_steps;
    loop->tick -= unrun;
    loop->last_steps -= unrun;
    if (loop->last_steps == 0) loop->drawn = esi_max(loop->drawn, loop->last_drawn);
    frame->dropped += esi_keep_back(loop, unrun);
    esi_show(loop, frame);
}

static inline void es_loop_pause(es_loop *loop) { loop->activity = ESI_PAUSED; }

static inline void es_loop_resume(es_loop *loop) {
    if (loop->activity == ESI_PAUSED) loop->activity = ESI_RESUMING;
}

static inline void es_loop_resume_dropping(es_loop *loop) {
    loop->drops_backlog = true;
    loop->activity = ESI_RESUMING;
}

static inline bool es_loop_is_paused(const es_loop *loop) { return loop->activity == ESI_PAUSED; }

static inline void es_loop_step_once(es_loop *loop) { loop->single_steps += loop->single_steps < UINT32_MAX; }

static inline bool es_loop_set_time_scale(es_loop *loop, uint32_t numer, uint32_t denom) {
    if (denom == 0 || loop->rate_numer == 0) return false;
    esi_reduce(&numer, &denom);
    loop->remainder = (uint32_t)((uint64_t)loop->remainder * denom / loop->scale_denom);
    loop->scale_numer = numer;
    loop->scale_denom = denom;
    esi_settle(loop);
    return true;
}

static inline void esi_set_overrun(es_loop *loop, uint8_t overrun, uint64_t max_backlog) {
    loop->overrun = overrun;
    loop->max_backlog = max_backlog;
    if (loop->rate_numer != 0) esi_settle(loop);
}

static inline bool es_loop_keeps_time(const es_loop *loop) { return loop->overrun != ESI_DROP; }

static inline void es_loop_set_drop(es_loop *loop) { esi_set_overrun(loop, ESI_DROP, 0); }
static inline void es_loop_set_carry(es_loop *loop, uint64_t max_backlog) { esi_set_overrun(loop, ESI_CARRY, max_backlog); }

static inline bool es_loop_set_stretch(es_loop *loop, uint32_t numer, uint32_t denom) {
    if (denom == 0) return false;
    esi_reduce(&numer, &denom);
    loop->speed_numer = numer < denom ? 1 : numer;
    loop->speed_denom = numer < denom ? 1 : denom;
    esi_set_overrun(loop, ESI_STRETCH, UINT64_MAX);
    return true;
}

static inline void es_loop_set_max_delta(es_loop *loop, int64_t nanoseconds) {
    loop->wanted_max_delta = nanoseconds;
    if (loop->rate_numer != 0) esi_settle(loop);
}

static inline void es_loop_set_max_steps(es_loop *loop, int64_t steps) {
    loop->wanted_max_steps = steps;
    if (loop->rate_numer != 0) esi_settle(loop);
}

static inline void es_loop_reset(es_loop *loop) {
    loop->tick = loop->fraction = loop->backlog = loop->drawn = 0;
    loop->last_overstep = loop->last_drawn = 0;
    loop->remainder = loop->single_steps = loop->last_steps = loop->last_single_steps = 0;
    loop->drops_backlog = false;
    loop->last_number++;
}

/* Why the numbers are these is in the book, page "Filters". Nanoseconds, but for the last three. */
#define ESI_AIM ((int64_t)-2000000)
#define ESI_MAX_LAG ((int64_t)3000000)
#define ESI_MAX_LEAD ((int64_t)4000000)
#define ESI_HITCH ((uint64_t)250000000)
#define ESI_PERIOD_SHIFT 9u /* the period takes 1/512 of a deviation */
#define ESI_PHASE_SHIFT 7u  /* the output takes 1/128 of it */
#define ESI_RELOCK 32       /* frames in a row at a bound, after which the period is taken to have changed */

/* A shift that rounds down, also of negative numbers, for which C leaves it to the compiler. */
static inline int64_t esi_shift(int64_t number, uint32_t by) { return number < 0 ? ~(~number >> by) : number >> by; }

static inline void esi_start_over(es_filter *filter, int64_t delta) {
    filter->period = delta * 65536;
    filter->frames = 1;
    filter->at_bound = 0;
}

static inline uint64_t es_filter_apply(es_filter *filter, uint64_t delta) {
    int64_t now, owed, period, wanted, given;
    int32_t side;
    uint32_t age;
    if (delta > ESI_HITCH) { /* it is passed on, and the residual becomes the one aimed at */
        const int64_t lag = ESI_AIM - filter->residual;
        if (lag < 0 && delta > UINT64_MAX - (uint64_t)-lag) return delta;
        filter->residual = ESI_AIM;
        return lag < 0 ? delta + (uint64_t)-lag : delta - (uint64_t)lag;
    }
    now = (int64_t)delta;
    owed = filter->residual + now;
    if (filter->frames == 0) {
        esi_start_over(filter, now);
        given = esi_max_signed(owed - ESI_AIM, 0);
        filter->residual = owed - given;
        return (uint64_t)given;
    }
    filter->frames += filter->frames < UINT32_MAX;
    age = esi_log2(filter->frames, ESI_PERIOD_SHIFT); /* gains fall with it: 1/2, 1/4, ... */
    filter->period += esi_shift(now * 65536 - filter->period, age);
    period = esi_shift(filter->period, 16);
    wanted = period + esi_shift(owed - ESI_AIM - period, age + 1 < ESI_PHASE_SHIFT ? age + 1 : ESI_PHASE_SHIFT);
    given = esi_max_signed(esi_clamp(wanted, owed - ESI_MAX_LAG, owed + ESI_MAX_LEAD), 0);
    side = (given > wanted) - (given < wanted);
    if (side == (filter->at_bound > 0) - (filter->at_bound < 0)) {
        filter->at_bound += side;
    } else {
        filter->at_bound = side;
    }
    if (esi_abs(filter->at_bound) >= ESI_RELOCK) esi_start_over(filter, now);
    filter->residual = owed - given;
    return (uint64_t)given;
}

/* What these are for is in the crate, filter/followed_time.rs, playback_clock/song.rs and refresh_clock.rs. Nanoseconds, but for shifts, counts
 * and shares. */
#define ESI_ONE ((int64_t)1 << 24) /* ratios are in 2^-24 */
#define ESI_MAX_TIME ((int64_t)1 << 56)
#define ESI_SLACK ((int64_t)1000000)
#define ESI_NEAR ((int64_t)5000000)
#define ESI_JUMP ((int64_t)250000000)
#define ESI_CAUGHT_UP ((int64_t)2000000)
#define ESI_HURRY ((int64_t)4000000)
#define ESI_MAX_FRAME ((int64_t)42000000)
#define ESI_REST ((int64_t)100000000)
#define ESI_ALIKE ((int64_t)100000)
#define ESI_SURE 3u
#define ESI_ERROR_SHIFT 7u
#define ESI_SPREAD_SHIFT 6u
#define ESI_DRIFT_SHIFT 5u
#define ESI_KNOWN 512u
#define ESI_MAX_DRIFT (ESI_ONE / 50)
#define ESI_HURRY_NANOS ((int64_t)1 << 26)
#define ESI_ASKED 8
#define ESI_SETTLED 256u
#define ESI_SHORTEST ((int64_t)65536)

static inline int64_t esi_nanos(uint64_t time) { return (int64_t)esi_min(time, (uint64_t)ESI_MAX_TIME); }
static inline uint64_t esi_time(int64_t nanos) { return nanos > 0 ? (uint64_t)nanos : 0; }

/* A number of nanoseconds times a ratio, rounded down. */
static inline int64_t esi_product(int64_t nanos, int64_t ratio) {
    const int64_t high = esi_shift(nanos, 24);
    return high * ratio + (((nanos - high * ESI_ONE) * ratio) >> 24);
}

static inline int64_t esi_since(const esi_followed *clock, uint64_t at) {
    if (!clock->has_begun) return 0;
    return at < clock->origin ? -esi_nanos(clock->origin - at) : esi_nanos(at - clock->origin);
}

static inline int64_t esi_line_at(esi_line line, int64_t at) { return line.time + esi_product(at - line.at, line.rate); }

static inline int64_t esi_even_now(const esi_followed *clock) { return clock->now - clock->filter.residual + ESI_AIM; }

/* A frame's time: how much passed, and after the filter. False in the first frame and in a pause. */
static inline bool esi_begin_followed(esi_followed *clock, uint64_t now, int64_t *passed, int64_t *even) {
    const bool begins = !clock->has_begun;
    if (begins) clock->origin = now;
    clock->has_begun = true;
    *passed = esi_max_signed(esi_since(clock, now) - clock->now, 0);
    clock->now += *passed;
    *even = begins ? 0 : esi_nanos(es_filter_apply(&clock->filter, (uint64_t)*passed));
    return !begins && clock->pause == ESI_RUNNING;
}

/* Ends what esi_begin_followed began. Returns whether a pause ended. */
static inline bool esi_end_followed(esi_followed *clock, int64_t given) {
    const bool resumes = clock->pause == ESI_RESUMING;
    clock->time += esi_clamp(given, 0, ESI_MAX_TIME - clock->time);
    clock->is_pause = clock->pause != ESI_RUNNING;
    if (resumes) clock->pause = ESI_RUNNING;
    return resumes;
}

static inline uint64_t esi_begin_events(esi_followed *clock, int64_t rate) {
    const int64_t time = esi_max_signed(esi_line_at(clock->events, clock->now) + clock->is_pause, clock->time);
    const int64_t slower = (esi_min_signed(time - clock->time, ESI_ONE) * rate) >> 25;
    clock->earlier_events = clock->events;
    clock->events.at = clock->now;
    clock->events.time = time;
    clock->events.rate = clock->pause == ESI_RUNNING ? rate - slower : 0;
    return (uint64_t)clock->time;
}

static inline uint64_t esi_time_at(const esi_followed *clock, uint64_t time) {
    const int64_t at = esi_since(clock, time);
    if (at >= clock->now) return esi_time(esi_line_at(clock->events, at));
    return esi_time(esi_min_signed(esi_line_at(clock->earlier_events, at), clock->events.time));
}

static inline void esi_init_followed(esi_followed *clock) { clock->events.rate = clock->earlier_events.rate = ESI_ONE; }

static inline void esi_resume(esi_followed *clock) {
    if (clock->pause == ESI_PAUSED) clock->pause = ESI_RESUMING;
}

static inline void es_playback_init(es_playback *clock) {
    memset(clock, 0, sizeof *clock);
    esi_init_followed(&clock->followed);
    clock->playback_rate = clock->last_rate = ESI_ONE;
    clock->block = ESI_JUMP;
    clock->asked = 2 * ESI_ASKED;
    clock->stands = true;
}

static inline int64_t esi_song_rate(const es_playback *clock) {
    const int64_t rate = clock->playback_rate;
    return rate + rate / ESI_ONE * clock->drift + rate % ESI_ONE * clock->drift / ESI_ONE;
}

static inline int64_t esi_estimate(const es_playback *clock, int64_t at) {
    return clock->estimate + (clock->stands ? 0 : esi_product(at - clock->estimate_at, esi_song_rate(clock)));
}

static inline void esi_place(es_playback *clock, int64_t position, int64_t at) {
    clock->estimate = position;
    clock->estimate_at = at;
}

static inline int64_t esi_wrapped(const es_playback *clock, int64_t position) {
    const int64_t since = position - clock->loop_start;
    if (clock->loop_length == 0 || since < clock->loop_length) return position;
    return clock->loop_start + since % clock->loop_length;
}

/* How far a position is from another, the shorter way round if both are in the loop. */
static inline int64_t esi_ahead(const es_playback *clock, int64_t position, int64_t other) {
    const int64_t from = esi_wrapped(clock, other), ahead = position - from, start = clock->loop_start, length = clock->loop_length;
    int64_t round;
    if (length == 0 || from < start || position < start || position > start + length) return ahead;
    round = (ahead + length / 2) % length;
    return (round < 0 ? round + length : round) - length / 2;
}

static inline uint64_t esi_heard(const es_playback *clock, int64_t position, int64_t at) {
    const int64_t since = esi_clamp(at - clock->rate_changed_at, 0, clock->latency);
    const int64_t lag = esi_product(since, clock->playback_rate) + esi_product(clock->latency - since, clock->last_rate);
    return clock->is_placed ? esi_time(esi_wrapped(clock, position - lag)) : 0;
}

static inline void es_playback_set_latency(es_playback *clock, uint64_t latency) { clock->latency = esi_nanos(latency); }

static inline bool es_playback_set_rate(es_playback *clock, uint32_t numer, uint32_t denom) {
    const int64_t now = clock->followed.now;
    int64_t rate;
    if (denom == 0) return false;
    rate = esi_clamp((int64_t)(((uint64_t)numer << 24) / denom), ESI_ONE / 16, ESI_ONE * 16);
    if (rate == clock->playback_rate) return true;
    esi_place(clock, esi_estimate(clock, now), now);
    clock->last_rate = clock->playback_rate;
    clock->rate_changed_at = now;
    clock->block = ESI_JUMP;
    clock->differences = clock->changes = 0;
    clock->playback_rate = rate;
    return true;
}

static inline void es_playback_set_loop_points(es_playback *clock, uint64_t start, uint64_t end) {
    const int64_t moved = esi_wrapped(clock, clock->estimate) - clock->estimate;
    clock->estimate += moved;
    clock->offset += moved;
    clock->loop_start = esi_nanos(start);
    clock->loop_length = esi_max_signed(esi_nanos(end) - clock->loop_start, 0);
}

/* The song stands within the last block. */
static inline void esi_rest(es_playback *clock) {
    const int64_t position = clock->last_position + esi_product(clock->interval, clock->playback_rate) / 2;
    if (clock->has_last) esi_place(clock, clock->estimate + esi_ahead(clock, position, clock->estimate), clock->last_at);
    clock->stands = true;
    clock->moves = clock->has_suspect = false;
    clock->changes = 0;
}

/* The position is the last one. */
static inline void esi_stay(es_playback *clock, int64_t at, int64_t position) {
    int64_t from, over;
    if (clock->has_suspect) {
        esi_place(clock, clock->suspect, clock->suspect_at);
        clock->changes = 0;
        clock->has_suspect = clock->stands = false;
        clock->moves = true;
        clock->changed_at = clock->suspect_at;
    }
    if (!clock->moves || clock->interval == 0) return;
    from = esi_estimate(clock, at);
    over = -esi_ahead(clock, position, from) - esi_product(clock->interval, clock->playback_rate) - ESI_SLACK - clock->lead;
    if (over > 0) esi_place(clock, from - over, at);
    if (at - clock->changed_at > clock->interval + ESI_REST) esi_rest(clock);
}

/* Whether a report agrees with the suspect before it. */
static inline bool esi_agrees(const es_playback *clock, int64_t at, int64_t position) {
    const int64_t since = at - clock->suspect_at, rate = clock->playback_rate;
    if (!clock->has_suspect) return false;
    return esi_abs(esi_ahead(clock, position, clock->suspect + esi_product(since, rate))) <=
           esi_product(clock->interval, rate) + esi_product(esi_clamp(since, 0, ESI_JUMP), rate) + ESI_NEAR;
}

/* Returns the block, and finds a smaller one. */
static inline int64_t esi_find_block(es_playback *clock, int64_t jump) {
    const int64_t differs = esi_abs(jump - clock->jump), block = differs > ESI_ALIKE ? esi_min_signed(differs, jump) : jump;
    if (differs > ESI_ALIKE) {
        if (esi_abs(block - clock->difference) > ESI_ALIKE) clock->differences = 0;
        clock->differences += clock->differences < UINT32_MAX;
        clock->difference = block;
        if (clock->differences < ESI_SURE) return clock->block;
    }
    if (block < clock->block - ESI_ALIKE) clock->block = block;
    return clock->block;
}

static inline void esi_correct(es_playback *clock, int64_t from, int64_t at, int64_t off, int64_t error, int64_t since) {
    const int64_t most = esi_min_signed(esi_max_signed(ESI_CAUGHT_UP, 4 * clock->spread), ESI_JUMP);
    uint32_t shift;
    clock->changes += clock->changes < UINT32_MAX;
    shift = esi_log2(clock->changes, ESI_ERROR_SHIFT);
    if (shift > 0) {
        error = esi_clamp(error, -most, most);
        clock->spread += esi_shift(esi_abs(error) - clock->spread, shift + 1 < ESI_SPREAD_SHIFT ? shift + 1 : ESI_SPREAD_SHIFT);
    }
    esi_place(clock, from + off + esi_shift(error, shift), at);
    if (clock->interval == 0) {
        clock->interval = since;
    } else {
        clock->interval += shift > 0 ? esi_shift(since - clock->interval, shift) : esi_max_signed(since - clock->interval, 0) / 2;
    }
    if (shift >= ESI_DRIFT_SHIFT && clock->interval > 0 && off == 0) {
        const int64_t drift = clock->drift + esi_shift(error * ESI_ONE / clock->interval, 2 * shift);
        clock->drift = esi_clamp(drift, -ESI_MAX_DRIFT, ESI_MAX_DRIFT);
        if (clock->changes >= ESI_KNOWN) clock->known_drift = clock->drift;
    }
}

/* A report whose position changed. Returns whether the song is there now. */
static inline bool esi_change(es_playback *clock, int64_t at, int64_t position, int64_t gap, int64_t jump, bool goes_back) {
    const int64_t passed = esi_product(gap, clock->playback_rate);
    const bool goes_on = jump > 0 && jump <= ESI_JUMP + passed;
    const bool goes_round = goes_on && goes_back, is_cut = goes_round || clock->went_round;
    const int64_t block = goes_on && !is_cut ? esi_find_block(clock, jump) : clock->block;
    const bool is_asked = clock->asked > ESI_ASKED;
    const int64_t step = esi_min_signed(passed, block), width = is_asked ? step : 0, slack = ESI_SLACK + clock->spread / 4;
    const int64_t lead = is_asked ? esi_max_signed(clock->spread + width / 4, width / 2) : 2 * clock->spread;
    const int64_t range = esi_max_signed(width, 4 * clock->spread), from = esi_estimate(clock, at), ahead = esi_ahead(clock, position, from);
    const int64_t off = esi_max_signed(ahead - slack, 0) + esi_min_signed(ahead + range + slack, 0);
    const int64_t far = ESI_NEAR + (is_asked ? 2 * range : 0);
    bool had_suspect;
    clock->reports++;
    clock->gap = gap;
    clock->went_round = goes_round;
    if (!is_cut) clock->jump = jump;
    clock->step = esi_min_signed(step, esi_product(ESI_MAX_FRAME, clock->playback_rate));
    clock->room = esi_max_signed(clock->step, clock->room - clock->room / 128);
    clock->lead = lead;
    if (!clock->is_placed) {
        esi_place(clock, goes_on ? position + lead : position, at);
        clock->is_placed = goes_on;
        clock->spread = ESI_SLACK;
        return true;
    }
    if (esi_abs(off) > far && !esi_agrees(clock, at, position)) {
        clock->has_suspect = true;
        clock->suspect_at = at;
        clock->suspect = position + lead;
        return false;
    }
    had_suspect = clock->has_suspect;
    clock->has_suspect = false;
    if (had_suspect && esi_abs(off) > far) {
        clock->changes = 0;
        esi_place(clock, from + ahead + lead, at);
        return true;
    }
    if (esi_abs(off) > range / 8) {
        clock->changes = 0;
        if (width > 0) clock->drift = clock->known_drift;
    }
    esi_correct(clock, from, at, off, ahead + lead - off, is_cut ? clock->interval : esi_clamp(at - clock->changed_at, gap, ESI_JUMP));
    return true;
}

static inline void es_playback_report(es_playback *clock, es_report report) {
    const int64_t at = esi_since(&clock->followed, report.at), position = esi_nanos(report.position);
    const int64_t last_at = clock->last_at, last_position = clock->last_position;
    const bool had_last = clock->has_last;
    if (!clock->followed.has_begun || clock->followed.pause != ESI_RUNNING) return;
    clock->has_last = true;
    clock->last_at = at;
    clock->last_position = position;
    if (!had_last) {
        if (!clock->is_placed) esi_place(clock, position, at);
    } else {
        const int64_t jump = esi_ahead(clock, position, last_position);
        if (jump == 0) {
            esi_stay(clock, at, position);
        } else if (esi_change(clock, at, position, esi_clamp(at - last_at, 0, ESI_JUMP), jump, position < last_position)) {
            clock->moves = clock->is_placed;
            clock->stands = !clock->is_placed;
            clock->changed_at = at;
        }
    }
}

/* The time of the song that a frame brings. */
static inline int64_t esi_follow_song(es_playback *clock, int64_t passed, int64_t even) {
    const esi_followed *followed = &clock->followed;
    int64_t plain, target, owed, most;
    if (clock->has_last) {
        const int64_t late = followed->now - clock->last_at, near = esi_min_signed(esi_abs(late), esi_abs(late - passed));
        const int64_t vote = clock->reports == 0 ? 0 : clock->reports == 1 && near <= passed / 4 && clock->gap <= 2 * passed ? 1 : -3;
        clock->asked = esi_clamp(clock->asked + vote, 0, 32);
        clock->reports = 0;
        if (clock->moves && late > 3 * clock->interval + ESI_REST) esi_rest(clock);
    }
    plain = esi_product(even, esi_song_rate(clock));
    if (!clock->is_placed || clock->stands) return clock->is_placed ? 0 : plain;
    target = esi_estimate(clock, esi_even_now(followed)) - (followed->time + plain);
    if (!clock->has_offset) clock->offset = target;
    clock->has_offset = true;
    owed = target - clock->offset;
    if (esi_abs(owed) > ESI_JUMP) {
        clock->offset = target;
        clock->hurries = false;
        return plain;
    }
    clock->hurries = esi_abs(owed) > (clock->hurries ? ESI_CAUGHT_UP : ESI_HURRY + clock->room);
    most = plain >> (clock->hurries ? 1 : 7);
    owed = esi_clamp(owed, -ESI_HURRY_NANOS, ESI_HURRY_NANOS);
    return plain + esi_clamp(esi_shift(owed * esi_min_signed(even, ESI_HURRY_NANOS), clock->hurries ? 26 : 30), -most, most);
}

static inline uint64_t es_playback_begin_frame(es_playback *clock, uint64_t now) {
    esi_followed *followed = &clock->followed;
    int64_t passed, even, given = 0, rate;
    if (esi_begin_followed(followed, now, &passed, &even)) given = esi_follow_song(clock, passed, even);
    if (esi_end_followed(followed, given)) {
        clock->estimate_at = followed->now;
        clock->stands = !clock->is_placed;
        clock->has_last = clock->has_suspect = false;
        clock->changes = 0;
    }
    rate = esi_song_rate(clock) >> clock->hurries;
    return esi_begin_events(followed, clock->stands && clock->is_placed ? 0 : rate);
}

static inline uint64_t es_playback_time_at(const es_playback *clock, uint64_t at) { return esi_time_at(&clock->followed, at); }

static inline uint64_t es_playback_position(const es_playback *clock) {
    return clock->has_offset ? esi_heard(clock, clock->followed.time + clock->offset, esi_even_now(&clock->followed)) : 0;
}

static inline uint64_t es_playback_position_at(const es_playback *clock, uint64_t time) {
    const int64_t at = esi_since(&clock->followed, time);
    const int64_t suspect = clock->suspect + esi_product(at - clock->suspect_at, esi_song_rate(clock));
    return esi_heard(clock, clock->has_suspect ? suspect : esi_estimate(clock, at), at);
}

static inline void es_playback_pause(es_playback *clock) {
    if (clock->followed.pause == ESI_RUNNING) {
        esi_place(clock, esi_estimate(clock, clock->followed.now), clock->followed.now);
        clock->stands = true;
        clock->moves = false;
    }
    clock->followed.pause = ESI_PAUSED;
}

static inline void es_playback_resume(es_playback *clock) { esi_resume(&clock->followed); }

static inline bool es_playback_is_following(const es_playback *clock) { return clock->moves; }

static inline double es_playback_speed(const es_playback *clock) { return (double)esi_song_rate(clock) / (double)ESI_ONE; }

static inline bool es_refresh_init(es_refresh *clock, uint32_t numer, uint32_t denom) {
    memset(clock, 0, sizeof *clock);
    esi_init_followed(&clock->followed);
    clock->refreshes = 1;
    clock->period = 65536;
    if (numer == 0 || denom == 0) return false;
    esi_reduce(&numer, &denom);
    clock->numer = numer;
    clock->denom = denom;
    return true;
}

static inline int64_t esi_period(const es_refresh *clock) { return clock->period / 65536; }

static inline int64_t esi_refresh_rate(const es_refresh *clock) {
    return clock->steps == 0 ? ESI_ONE : (int64_t)clock->whole * ESI_ONE / esi_period(clock);
}

/* Takes the shortest pattern that is near enough to a number of steps in a refresh. */
static inline bool esi_choose(es_refresh *clock, double of_refresh) {
    const uint32_t longest[2] = {8, 64};
    const double tolerance[2] = {0.02, 0.005};
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t refreshes = 1; refreshes <= longest[pass]; refreshes++) {
            const double wanted = of_refresh * refreshes;
            const double steps = wanted < 1e6 ? (double)(int64_t)(wanted + 0.5) : 0.0;
            const double off = steps < wanted ? wanted - steps : steps - wanted;
            if (steps >= 1.0 && steps < 1e6 && off <= tolerance[pass] * wanted) {
                const uint64_t denom = (uint64_t)refreshes * clock->numer, step = esi_mul(clock->denom, 1000000000);
                const uint64_t rest = step % denom * (uint64_t)steps;
                clock->steps = (uint64_t)steps;
                clock->refreshes = refreshes;
                clock->whole = step / denom * clock->steps + rest / denom;
                clock->rest = rest % denom;
                clock->rests = 0;
                return true;
            }
        }
    }
    return false;
}

/* What brings a time to the middle between two refreshes that end steps. */
static inline int64_t esi_alignment(const es_refresh *clock, int64_t time) {
    const uint64_t refresh = esi_mul(clock->denom, 1000000000), units = clock->numer * clock->refreshes;
    uint64_t within;
    (void)esi_share(esi_time(time), units % refresh, refresh, &within);
    return (int64_t)((refresh / 2 + (within <= refresh / 2 ? 0 : refresh) - within) / units);
}

/* The time that a frame brings. */
static inline int64_t esi_follow_display(es_refresh *clock, int64_t passed, int64_t even) {
    const int64_t time = clock->followed.time;
    int64_t nearest, period, since, count, distance;
    uint64_t denom, rests;
    double of_refresh, wanted, off;
    if (clock->numer == 0) return even;
    if (passed > (int64_t)ESI_HITCH) {
        clock->phase = 0;
        return even + (clock->steps > 0 ? esi_alignment(clock, time + even) : 0);
    }
    if (clock->frames == 0 || (clock->frames < 16 && passed * 8 < esi_period(clock) * 5)) {
        clock->frames = 1;
        clock->phase = clock->spread = 0;
        clock->period = esi_max_signed(passed, ESI_SHORTEST) * 65536;
        return even;
    }
    clock->frames += clock->frames < UINT32_MAX;
    nearest = esi_max_signed((passed + esi_period(clock) / 2) / esi_period(clock), 1);
    clock->period += esi_shift(passed * 65536 / nearest - clock->period, esi_log2(clock->frames, ESI_PERIOD_SHIFT));
    if (clock->period < ESI_SHORTEST * 65536) clock->period = ESI_SHORTEST * 65536;
    period = esi_period(clock);
    since = clock->phase + passed;
    count = (since + period / 2) / period - ((since + period / 2) % period < 0);
    distance = since - count * period;
    clock->spread += esi_shift(esi_abs(distance) - clock->spread, ESI_SPREAD_SHIFT);
    clock->phase = distance - esi_shift(distance, 4);

    of_refresh = (double)period * (double)clock->numer / (1e9 * (double)clock->denom);
    if (clock->steps == 0) {
        if ((clock->frames == 32 && clock->spread * 12 >= period) || (clock->frames == 64 && clock->spread * 8 >= period)) clock->frames = 0;
        if (clock->frames < ESI_SETTLED) return even;
        if (clock->spread * 6 >= period) {
            clock->frames = 0;
        } else if (esi_choose(clock, of_refresh)) {
            return even + esi_alignment(clock, time + even);
        }
        return even;
    }
    wanted = of_refresh * (double)clock->refreshes;
    off = (double)clock->steps < wanted ? wanted - (double)clock->steps : (double)clock->steps - wanted;
    if (off > 0.025 * wanted || clock->spread * 5 > period) {
        clock->steps = clock->frames = 0;
        return even;
    }
    denom = clock->refreshes * clock->numer;
    rests = clock->rests + (uint64_t)count * clock->rest;
    clock->rests = rests % denom;
    return (int64_t)((uint64_t)count * clock->whole + rests / denom);
}

static inline uint64_t es_refresh_begin_frame(es_refresh *clock, uint64_t now) {
    int64_t passed, even, given = 0;
    if (esi_begin_followed(&clock->followed, now, &passed, &even)) given = esi_follow_display(clock, passed, even);
    (void)esi_end_followed(&clock->followed, given);
    return esi_begin_events(&clock->followed, esi_refresh_rate(clock));
}

static inline uint64_t es_refresh_time_at(const es_refresh *clock, uint64_t at) { return esi_time_at(&clock->followed, at); }
static inline void es_refresh_pause(es_refresh *clock) { clock->followed.pause = ESI_PAUSED; }
static inline void es_refresh_resume(es_refresh *clock) { esi_resume(&clock->followed); }
static inline bool es_refresh_is_following(const es_refresh *clock) { return clock->steps > 0; }
static inline double es_refresh_speed(const es_refresh *clock) { return (double)esi_refresh_rate(clock) / (double)ESI_ONE; }

/* Whether an older state has no effect once the newer one is known. */
static inline bool esi_replaces(const es_event *newer, const es_event *older) {
    if (newer->kind == ESI_RELEASE_ALL) return true;
    return newer->key == older->key && older->kind != ESI_RELEASE_ALL;
}

static inline void esi_remove(es_input *input, uint32_t place) {
    memmove(input->events + place, input->events + place + 1, (input->count - place - 1) * sizeof *input->events);
    input->count--;
    if (place < input->assigned) input->assigned--;
}

/* Removes the states right before one that replaces them. Returns its index then. */
static inline uint32_t esi_replace(es_input *input, uint32_t place) {
    uint32_t older = place;
    while (older > 0 && input->events[older - 1].is_state) {
        older--;
        if (esi_replaces(input->events + place, input->events + older)) {
            esi_remove(input, older);
            place--;
        }
    }
    return place;
}

/* What is left of an event in a pause: that a key is held or is not. */
static inline void esi_make_state(es_event *event) {
    if (event->kind == ESI_PRESS) event->kind = ESI_HOLD;
    event->is_state = true;
}

#define ESI_FAR ((uint64_t)1000000000) /* an event that is further from its frame is of another clock */

static inline void esi_count(uint32_t *count, bool is_one_more) { *count += is_one_more && *count < UINT32_MAX; }

/* Inserts an event. Late, it acts in the next step, unless an older one waits for a later step. Returns it, or NULL without room. */
static inline es_event *esi_insert(es_input *input, uint32_t place, uint8_t kind, uint32_t key, uint64_t time, bool is_late) {
    es_event *event = input->events + place;
    const bool is_assigned = is_late || place < input->assigned;
    if (kind == ESI_RELEASE_ALL) {
        memset(input->device, 0, sizeof input->device);
    } else {
        input->device[key] = kind == ESI_PRESS;
    }
    if (input->count == ES_EVENTS) {
        input->is_resyncing = true;
        esi_count(&input->refused, true);
        return NULL;
    }
    memmove(event + 1, event, (input->count - place) * sizeof *event);
    memset(event, 0, sizeof *event);
    event->time = time;
    event->tick = is_assigned && place > 0 ? event[-1].tick : 0;
    event->key = (uint16_t)key;
    event->kind = kind;
    input->count++;
    input->assigned += is_assigned;
    return event;
}

static inline bool esi_push_at(es_input *input, uint8_t kind, uint32_t key, uint64_t time) {
    const bool is_late = esi_add(time, input->delay) < input->reached || time < input->pause_end;
    uint32_t place = input->count;
    es_event *event;
    if (key >= ES_KEYS) return false;
    esi_count(&input->foreign, input->has_begun && esi_add(time, ESI_FAR) < input->last_now);
    esi_count(&input->ahead, time > esi_add(input->last_now, ESI_FAR));
    while (place > 0 && input->events[place - 1].time > time) place--;
    event = esi_insert(input, place, kind, key, time, is_late);
    if (event == NULL) return false;
    esi_count(&input->late, is_late);
    if (input->pause_begin <= time && time < input->pause_end) {
        esi_make_state(event);
        esi_replace(input, place);
    }
    return true;
}

/* Without a time: after those that have a step, before those that wait for their frame. */
static inline bool esi_push(es_input *input, uint8_t kind, uint32_t key) {
    const uint32_t place = input->assigned;
    uint64_t time = esi_sub(esi_sub(input->reached, input->delay), 1);
    es_event *event;
    if (key >= ES_KEYS) return false;
    if (place > 0) time = esi_max(time, input->events[place - 1].time);
    if (place < input->count) time = esi_min(time, input->events[place].time);
    event = esi_insert(input, place, kind, key, time, true);
    if (event == NULL) return false;
    event->is_open = true;
    return true;
}

static inline bool es_input_press(es_input *input, uint32_t key) { return esi_push(input, ESI_PRESS, key); }
static inline bool es_input_release(es_input *input, uint32_t key) { return esi_push(input, ESI_RELEASE, key); }
static inline bool es_input_release_all(es_input *input) { return esi_push(input, ESI_RELEASE_ALL, 0); }
static inline bool es_input_press_at(es_input *input, uint64_t at, uint32_t key) { return esi_push_at(input, ESI_PRESS, key, at); }
static inline bool es_input_release_at(es_input *input, uint64_t at, uint32_t key) { return esi_push_at(input, ESI_RELEASE, key, at); }
static inline bool es_input_release_all_at(es_input *input, uint64_t at) { return esi_push_at(input, ESI_RELEASE_ALL, 0, at); }

/* The simulated time by which a frame advanced, in steps and units after the start of the first. */
typedef struct esi_progress {
    uint64_t first, begin, end, step;
} esi_progress;

static inline esi_progress esi_progress_of(const es_loop *loop) {
    const uint64_t step = esi_step_units(loop), overstep = loop->fraction + loop->backlog;
    const uint32_t steps = loop->last_steps, singles = loop->last_single_steps;
    esi_progress progress;
    progress.first = loop->tick - steps;
    progress.begin = loop->last_overstep;
    progress.step = step;
    /* Single steps take no time. They come first, so that the simulation is ahead from the start of the frame on. */
    if (steps >= singles) {
        progress.end = (uint64_t)(steps - singles) * step + overstep;
    } else {
        progress.end = esi_sub(overstep, esi_mul(singles - steps, step));
    }
    if (progress.end > progress.begin) progress.first += singles;
    return progress;
}

/* The step in which simulated time was at since / interval of the frame. */
static inline uint64_t esi_tick_at(const esi_progress *progress, uint64_t since, uint64_t interval) {
    const uint64_t way = esi_sub(progress->end, progress->begin), from = esi_min(progress->begin, progress->end);
    uint64_t rest;
    const uint64_t passed = interval == 0 ? 0 : esi_share(way, esi_min(since, interval), interval, &rest);
    return esi_add(progress->first, (from + passed) / progress->step);
}

/* Takes the begin of a frame for its own, if that is its first, or if it is before the last one, and so by another clock. Returns whether it
 * does, and no time has passed. */
static inline bool esi_starts_over(es_input *input, const es_loop *loop, uint64_t now, uint64_t filtered) {
    const bool is_other = input->has_begun && now < input->last_now;
    uint32_t at;
    if (input->has_begun && !is_other) return false;
    input->has_begun = true;
    input->reached = esi_sub(filtered, loop->last_delta);
    input->last_now = input->pause_begin = input->pause_end = esi_sub(now, loop->last_passed);
    for (at = 0; is_other && at < input->count; at++) { /* what waits has times of the other clock */
        input->events[at].time = esi_min(input->events[at].time, input->last_now);
    }
    return loop->last_delta == 0 && loop->last_passed == 0;
}

static inline void es_input_begin_frame(es_input *input, const es_loop *loop) {
    const esi_followed *followed = esi_followed_of(loop);
    const bool is_filtered = loop->is_filtered && followed == NULL, is_pause = followed != NULL && followed->is_pause;
    const int64_t residual = is_filtered ? loop->filter.residual : 0;
    const uint64_t now = followed == NULL ? loop->now : (uint64_t)followed->events.time;
    const uint64_t even = residual < 0 ? esi_add(now, (uint64_t)-residual) : esi_sub(now, (uint64_t)residual);
    const uint64_t filtered = followed == NULL ? even : (uint64_t)followed->time;
    const uint64_t next = loop->tick - loop->last_steps;
    esi_progress progress;
    uint64_t last, newest, interval, stood_until, least = UINT64_MAX;
    const uint32_t first = input->assigned;
    uint32_t at;
    bool is_first, is_paused;
    if (loop->rate_numer == 0) return;
    if (input->asked > 0) input->given_back = input->asked;
    input->asked = 0;
    if (loop->last_steps > 0 && (next == 0 || input->given_back != next + 1)) input->given_back = 0;
    is_first = esi_starts_over(input, loop, now, filtered);
    progress = esi_progress_of(loop);
    newest = esi_tick_at(&progress, 1, 1);
    for (at = 0; at < input->assigned; at++) { /* those that waited for dropped steps act in the next ones */
        input->events[at].tick = esi_min(input->events[at].tick, newest);
    }
    input->delay = is_filtered ? (uint64_t)ESI_MAX_LEAD : 0;
    last = input->reached;
    input->reached = esi_max(last, filtered);
    interval = input->reached - last;
    is_paused = is_pause || (interval > 0 && loop->last_stands_still);
    if (interval > 0 || is_pause) {
        const uint64_t previous = input->last_now;
        input->last_now = esi_max(previous, now);
        if (is_paused && input->pause_end != previous) input->pause_begin = previous;
        if (is_paused) input->pause_end = input->last_now;
    }
    stood_until = is_first ? input->last_now : input->pause_end; /* what came before the first frame is as of a pause */
    while (input->assigned < input->count) {
        es_event *event = input->events + input->assigned;
        const uint64_t acts = esi_add(event->time, input->delay);
        if (acts >= input->reached && event->time >= stood_until) break;
        event->tick = esi_tick_at(&progress, esi_sub(acts, last), interval);
        input->assigned++;
    }
    if (is_first || is_paused) { /* of its events only states are left */
        for (at = first; at < input->assigned; at++) {
            input->events[at].is_open = is_first || input->events[at].time >= input->pause_begin;
        }
        for (at = 0; at < input->assigned; at++) {
            if (!input->events[at].is_open) continue;
            esi_make_state(input->events + at);
            at = esi_replace(input, at);
        }
    }
    if (is_first || is_paused || !loop->last_stands_still) {
        for (at = 0; at < input->assigned; at++) input->events[at].is_open = false;
    }
    for (at = input->count; at > 0 && input->ahead > 0; at--) {
        if (input->events[at - 1].time <= esi_add(input->last_now, ESI_FAR)) break;
        esi_count(&input->foreign, true);
        input->ahead--;
    }
    input->ahead = 0;
    for (at = input->assigned; at > 0; at--) { /* in order, also after a reset */
        least = input->events[at - 1].tick = esi_min(input->events[at - 1].tick, least);
    }
}

static inline void esi_release(es_input *input, uint32_t key) {
    input->releases[key] = (uint8_t)(input->releases[key] + (input->held[key] && input->releases[key] < UINT8_MAX));
    input->held[key] = false;
}

static inline void es_input_begin_step(es_input *input, const es_step *step) {
    uint32_t taken = 0, key;
    if (input->asked == step->tick + 1) return;
    input->asked = step->tick + 1;
    if (input->given_back != step->tick + 1) {
        memset(input->presses, 0, sizeof input->presses);
        memset(input->releases, 0, sizeof input->releases);
    }
    input->given_back = 0;
    while (taken < input->assigned && input->events[taken].tick <= step->tick) {
        const es_event *event = input->events + taken++;
        key = event->key;
        if (event->kind == ESI_RELEASE) {
            esi_release(input, key);
        } else if (event->kind == ESI_RELEASE_ALL) {
            for (key = 0; key < ES_KEYS; key++) esi_release(input, key);
        } else if (!input->held[key]) {
            input->presses[key] = (uint8_t)(input->presses[key] + (event->kind == ESI_PRESS && input->presses[key] < UINT8_MAX));
            input->held[key] = true;
        }
    }
    input->assigned -= taken;
    input->count -= taken;
    memmove(input->events, input->events + taken, input->count * sizeof *input->events);
    if (input->is_resyncing && input->count == 0) { /* there was no room for some: what is held in the end */
        input->is_resyncing = false;
        for (key = 0; key < ES_KEYS; key++) {
            if (!input->device[key]) esi_release(input, key);
            input->held[key] = input->device[key];
        }
    }
}

static inline bool es_input_is_held_at_end(const es_input *input, uint32_t key) { return key < ES_KEYS && input->held[key]; }

static inline bool es_input_is_down(const es_input *input, uint32_t key) {
    return key < ES_KEYS && (input->held[key] || input->presses[key] > 0);
}

static inline uint32_t es_input_presses(const es_input *input, uint32_t key) { return key < ES_KEYS ? input->presses[key] : 0; }
static inline bool es_input_was_released(const es_input *input, uint32_t key) { return key < ES_KEYS && input->releases[key] > 0; }

static inline double es_blend(double older, double newer, double alpha) {
    if (alpha <= 0.0) return older;
    if (alpha >= 1.0) return newer;
    return older - (older - newer) * alpha; /* -0.0 keeps its sign */
}

static inline float es_blendf(float older, float newer, double alpha) {
    if (alpha <= 0.0) return older;
    if (alpha >= 1.0) return newer;
    return older - (older - newer) * (float)alpha;
}

static inline double es_blend_angle(double older, double newer, double turn, double alpha) {
    const double way = older - newer, windings = way / turn, most = 0.5 * turn;
    double rest;
    if (!(turn > 0.0) || alpha <= 0.0 || alpha >= 1.0) return es_blend(older, newer, alpha);
    if (windings >= -9.2e18 && windings <= 9.2e18) { /* beyond, an angle has no direction any more */
        rest = way - (double)(int64_t)(windings + (windings < 0.0 ? -0.5 : 0.5)) * turn;
    } else {
        rest = way - windings * turn;
    }
    rest = rest > most ? most : rest < -most ? -most : rest;
    return older - rest * alpha;
}

/* A row of three arrays. Rows are read and written by memcpy, since they may be unaligned and of any type. */
#define ESI_DRAWN(row) ((char *)drawn + (row) * rows.drawn_stride)
#define ESI_OLDER(row) ((const char *)older + (row) * rows.stride)
#define ESI_NEWER(row) ((const char *)newer + (row) * rows.stride)

static inline void es_blend_floats(es_rows rows, void *drawn, const void *older, const void *newer, size_t width, double alpha) {
    size_t row, at;
    for (row = 0; row < rows.count; row++) {
        for (at = 0; at < width; at++) {
            float a, b;
            memcpy(&a, ESI_OLDER(row) + at * sizeof a, sizeof a);
            memcpy(&b, ESI_NEWER(row) + at * sizeof b, sizeof b);
            a = es_blendf(a, b, alpha);
            memcpy(ESI_DRAWN(row) + at * sizeof a, &a, sizeof a);
        }
    }
}

static inline void es_blend_doubles(es_rows rows, void *drawn, const void *older, const void *newer, size_t width, double alpha) {
    size_t row, at;
    for (row = 0; row < rows.count; row++) {
        for (at = 0; at < width; at++) {
            double a, b;
            memcpy(&a, ESI_OLDER(row) + at * sizeof a, sizeof a);
            memcpy(&b, ESI_NEWER(row) + at * sizeof b, sizeof b);
            a = es_blend(a, b, alpha);
            memcpy(ESI_DRAWN(row) + at * sizeof a, &a, sizeof a);
        }
    }
}

static inline void es_blend_angles(es_rows rows, void *drawn, const void *older, const void *newer, double turn, double alpha) {
    size_t row;
    for (row = 0; row < rows.count; row++) {
        float a, b;
        memcpy(&a, ESI_OLDER(row), sizeof a);
        memcpy(&b, ESI_NEWER(row), sizeof b);
        a = alpha <= 0.0 ? a : alpha >= 1.0 ? b : (float)es_blend_angle(a, b, turn, alpha);
        memcpy(ESI_DRAWN(row), &a, sizeof a);
    }
}

/* sin(s * angle) / sin(angle) as a series in 1 - cos(angle), for s = 1 - alpha and s = alpha: D. Eberly, A Fast and Accurate Algorithm
 * for Computing SLERP (2011). The coefficients depend on alpha alone. Near rotations need three terms, others 13 with a corrected last one. */
enum { ESI_NEAR_TERMS = 3, ESI_TERMS = 13 };

typedef struct esi_weights {
    float c[2][ESI_TERMS + 1]; /* of the older and of the newer */
} esi_weights;

static inline esi_weights esi_weights_at(double alpha) {
    const float t = (float)alpha;
    esi_weights weights;
    int side, k;
    for (side = 0; side < 2; side++) {
        const float s = side == 0 ? 1.0f - t : t, square = s * s;
        float *c = weights.c[side];
        c[0] = s;
        for (k = 1; k <= ESI_TERMS; k++) {
            const float v = (float)k / (float)(2 * k + 1), u = 1.0f / (float)(k * (2 * k + 1));
            c[k] = c[k - 1] * (v - u * square);
        }
        c[ESI_TERMS] = c[ESI_TERMS] * 1.91f;
    }
    return weights;
}

static inline float esi_sum(const float *c, int terms, float x) {
    float sum = c[terms];
    int k;
    for (k = terms - 1; k >= 0; k--) sum = sum * x + c[k];
    return sum;
}

static inline bool esi_is_near(float rest) { return rest < 0.03125f; }

/* From a to b, to r, which may be one of them. */
static inline void esi_blend_rot2(const esi_weights *weights, const float a[2], const float b[2], float r[2]) {
    const float c = a[0] * b[0] + a[1] * b[1], s = a[0] * b[1] - a[1] * b[0];
    float x, y, scale;
    if (a[0] == b[0] && a[1] == b[1]) {
        memmove(r, a, 2 * sizeof *r);
        return;
    }
    if (esi_is_near(1.0f - c)) {
        const float p = esi_sum(weights->c[0], ESI_NEAR_TERMS, 1.0f - c), q = esi_sum(weights->c[1], ESI_NEAR_TERMS, 1.0f - c);
        x = a[0] * p + b[0] * q;
        y = a[1] * p + b[1] * q;
    } else {
        /* Half of the turn, as a quaternion has it: the larger part is a root, by a parabola and two steps of Newton's. */
        const float v = 0.5f + 0.5f * fabsf(c);
        float root = 2.2255f + v * (-2.0428f + v * 0.82f), larger, smaller, half_cos, half_sin, p, q, turn_cos, turn_sin;
        root = root * (1.5f - 0.5f * v * root * root);
        root = root * (1.5f - 0.5f * v * root * root);
        larger = v * root;
        smaller = 0.5f * fabsf(s) * root;
        half_cos = c < 0.0f ? smaller : larger;
        half_sin = c < 0.0f ? larger : smaller;
        if (s < 0.0f) half_sin = -half_sin;
        /* The part of it, doubled again. */
        p = esi_sum(weights->c[0], ESI_TERMS, 1.0f - half_cos);
        q = esi_sum(weights->c[1], ESI_TERMS, 1.0f - half_cos);
        x = p + q * half_cos;
        y = q * half_sin;
        turn_cos = x * x - y * y;
        turn_sin = 2.0f * (x * y);
        x = a[0] * turn_cos - a[1] * turn_sin;
        y = a[1] * turn_cos + a[0] * turn_sin;
    }
    scale = 1.5f - 0.5f * (x * x + y * y);
    r[0] = x * scale;
    r[1] = y * scale;
}

static inline void esi_blend_quat(const esi_weights *weights, const float a[4], const float b[4], float r[4]) {
    const float dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    const float sign = dot < 0.0f ? -1.0f : 1.0f; /* a quaternion and its negative are the same rotation */
    const float rest = 1.0f - fabsf(dot);
    const int terms = esi_is_near(rest) ? ESI_NEAR_TERMS : ESI_TERMS;
    float p, q, n, scale;
    int at;
    if (a[0] == b[0] * sign && a[1] == b[1] * sign && a[2] == b[2] * sign && a[3] == b[3] * sign) {
        memmove(r, a, 4 * sizeof *r);
        return;
    }
    p = esi_sum(weights->c[0], terms, rest);
    q = esi_sum(weights->c[1], terms, rest);
    for (at = 0; at < 4; at++) r[at] = a[at] * p + b[at] * sign * q;
    n = r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3];
    scale = 1.5f - 0.5f * n;
    for (at = 0; at < 4; at++) r[at] = r[at] * scale;
}

static inline void es_blend_rot2s(es_rows rows, void *drawn, const void *older, const void *newer, double alpha) {
    const esi_weights weights = esi_weights_at(alpha);
    size_t row;
    for (row = 0; row < rows.count; row++) {
        float a[2], b[2];
        memcpy(a, ESI_OLDER(row), sizeof a);
        memcpy(b, ESI_NEWER(row), sizeof b);
        if (!(alpha <= 0.0 || alpha >= 1.0)) esi_blend_rot2(&weights, a, b, a);
        memcpy(ESI_DRAWN(row), alpha >= 1.0 ? b : a, sizeof a);
    }
}

static inline void es_blend_quats(es_rows rows, void *drawn, const void *older, const void *newer, double alpha) {
    const esi_weights weights = esi_weights_at(alpha);
    size_t row;
    for (row = 0; row < rows.count; row++) {
        float a[4], b[4];
        memcpy(a, ESI_OLDER(row), sizeof a);
        memcpy(b, ESI_NEWER(row), sizeof b);
        if (!(alpha <= 0.0 || alpha >= 1.0)) esi_blend_quat(&weights, a, b, a);
        memcpy(ESI_DRAWN(row), alpha >= 1.0 ? b : a, sizeof a);
    }
}

/* A matrix taken apart by Gram and Schmidt: a rotation, and the axes in its frame. */
typedef struct esi_parts {
    float rotation[4];
    double stretch[6];
} esi_parts;

static inline double esi_dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* False if the matrix has no rotation: an axis is missing or not finite. `m` has a column in each row. */
static inline bool esi_take_apart2(float m[4][3], esi_parts *parts) {
    const double x[2] = {m[0][0], m[0][1]}, y[2] = {m[1][0], m[1][1]};
    const double length = sqrt(x[0] * x[0] + x[1] * x[1]);
    double e[2];
    if (!(length > 0.0 && length < HUGE_VAL)) return false;
    e[0] = x[0] / length;
    e[1] = x[1] / length;
    parts->rotation[0] = (float)e[0];
    parts->rotation[1] = (float)e[1];
    parts->stretch[0] = length;
    parts->stretch[1] = e[0] * y[0] + e[1] * y[1];
    parts->stretch[2] = e[0] * y[1] - e[1] * y[0];
    return true;
}

static inline void esi_compose2(const esi_parts *parts, float m[4][3]) {
    const double c = parts->rotation[0], s = parts->rotation[1], *k = parts->stretch;
    m[0][0] = (float)(c * k[0]);
    m[0][1] = (float)(s * k[0]);
    m[1][0] = (float)(c * k[1] - s * k[2]);
    m[1][1] = (float)(s * k[1] + c * k[2]);
}

static inline bool esi_take_apart3(float m[4][3], esi_parts *parts) {
    double x[3], y[3], z[3], e[3][3], k, h, square, quat[4], t, f;
    int at;
    for (at = 0; at < 3; at++) {
        x[at] = m[0][at];
        y[at] = m[1][at];
        z[at] = m[2][at];
    }
    parts->stretch[0] = sqrt(esi_dot(x, x));
    if (!(parts->stretch[0] > 0.0 && parts->stretch[0] < HUGE_VAL)) return false;
    for (at = 0; at < 3; at++) e[0][at] = x[at] / parts->stretch[0];
    k = esi_dot(e[0], y);
    for (at = 0; at < 3; at++) e[1][at] = y[at] - e[0][at] * k;
    square = esi_dot(e[1], e[1]);
    if (!(square > 1e-12 * esi_dot(y, y) && square < HUGE_VAL)) return false;
    h = sqrt(square);
    for (at = 0; at < 3; at++) e[1][at] = e[1][at] / h;
    e[2][0] = e[0][1] * e[1][2] - e[0][2] * e[1][1];
    e[2][1] = e[0][2] * e[1][0] - e[0][0] * e[1][2];
    e[2][2] = e[0][0] * e[1][1] - e[0][1] * e[1][0];
    parts->stretch[1] = k;
    parts->stretch[2] = h;
    for (at = 0; at < 3; at++) parts->stretch[3 + at] = esi_dot(e[at], z);
    /* M. Day, Converting a Rotation Matrix to a Quaternion (2015). */
    if (e[2][2] < 0.0) {
        if (e[0][0] > e[1][1]) {
            t = 1.0 + e[0][0] - e[1][1] - e[2][2];
            quat[0] = t, quat[1] = e[0][1] + e[1][0], quat[2] = e[2][0] + e[0][2], quat[3] = e[1][2] - e[2][1];
        } else {
            t = 1.0 - e[0][0] + e[1][1] - e[2][2];
            quat[0] = e[0][1] + e[1][0], quat[1] = t, quat[2] = e[1][2] + e[2][1], quat[3] = e[2][0] - e[0][2];
        }
    } else if (e[0][0] < -e[1][1]) {
        t = 1.0 - e[0][0] - e[1][1] + e[2][2];
        quat[0] = e[2][0] + e[0][2], quat[1] = e[1][2] + e[2][1], quat[2] = t, quat[3] = e[0][1] - e[1][0];
    } else {
        t = 1.0 + e[0][0] + e[1][1] + e[2][2];
        quat[0] = e[1][2] - e[2][1], quat[1] = e[2][0] - e[0][2], quat[2] = e[0][1] - e[1][0], quat[3] = t;
    }
    f = 0.5 / sqrt(t);
    for (at = 0; at < 4; at++) parts->rotation[at] = (float)(quat[at] * f);
    return true;
}

static inline void esi_compose3(const esi_parts *parts, float m[4][3]) {
    const double x = parts->rotation[0], y = parts->rotation[1], z = parts->rotation[2], w = parts->rotation[3];
    const double s = 2.0 / (x * x + y * y + z * z + w * w), *k = parts->stretch;
    const double e[3][3] = {{1.0 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y)},
                            {s * (x * y - w * z), 1.0 - s * (x * x + z * z), s * (y * z + w * x)},
                            {s * (x * z + w * y), s * (y * z - w * x), 1.0 - s * (x * x + y * y)}};
    int at;
    for (at = 0; at < 3; at++) {
        m[0][at] = (float)(e[0][at] * k[0]);
        m[1][at] = (float)(e[0][at] * k[1] + e[1][at] * k[2]);
        m[2][at] = (float)(e[0][at] * k[3] + e[1][at] * k[4] + e[2][at] * k[5]);
    }
}

/* From a to b, to a, of `axes` axes. The position is the column after them. */
static inline void esi_blend_matrix(const esi_weights *weights, int axes, float a[4][3], float b[4][3], double alpha) {
    const int numbers = axes == 2 ? 3 : 6;
    esi_parts parts[2];
    bool is_equal = true, has_rotation;
    int axis, at;
    for (axis = 0; axis < axes; axis++) {
        for (at = 0; at < axes; at++) is_equal = is_equal && a[axis][at] == b[axis][at];
    }
    for (at = 0; at < axes; at++) a[axes][at] = es_blendf(a[axes][at], b[axes][at], alpha);
    if (is_equal) return;
    memset(parts, 0, sizeof parts);
    has_rotation = axes == 2 ? esi_take_apart2(a, &parts[0]) && esi_take_apart2(b, &parts[1])
                             : esi_take_apart3(a, &parts[0]) && esi_take_apart3(b, &parts[1]);
    for (axis = 0; axis < axes && !has_rotation; axis++) {
        for (at = 0; at < axes; at++) a[axis][at] = es_blendf(a[axis][at], b[axis][at], alpha);
    }
    if (!has_rotation) return;
    if (parts[0].stretch[numbers - 1] * parts[1].stretch[numbers - 1] < 0.0) { /* one is mirrored */
        for (axis = 0; axis < axes; axis++) memcpy(a[axis], b[axis], sizeof a[axis]);
        return;
    }
    for (at = 0; at < numbers; at++) parts[0].stretch[at] = es_blend(parts[0].stretch[at], parts[1].stretch[at], alpha);
    if (axes == 2) {
        esi_blend_rot2(weights, parts[0].rotation, parts[1].rotation, parts[0].rotation);
        esi_compose2(&parts[0], a);
    } else {
        esi_blend_quat(weights, parts[0].rotation, parts[1].rotation, parts[0].rotation);
        esi_compose3(&parts[0], a);
    }
}

/* Axes, floats, and how far the columns and the rows are apart. */
static inline const int *esi_shape(es_matrix matrix) {
    static const int SHAPES[4][4] = {{3, 16, 4, 1}, {3, 16, 1, 4}, {3, 12, 1, 4}, {2, 6, 2, 1}};
    return SHAPES[(unsigned)matrix % 4];
}

/* Reads a matrix, and its axes and position into rows. */
static inline void esi_read(const int *shape, const void *from, float floats[16], float m[4][3]) {
    int axis, at;
    memcpy(floats, from, (size_t)shape[1] * sizeof *floats);
    for (axis = 0; axis <= shape[0]; axis++) {
        for (at = 0; at < shape[0]; at++) m[axis][at] = floats[axis * shape[2] + at * shape[3]];
    }
}

static inline void es_blend_matrices(es_rows rows, void *drawn, const void *older, const void *newer, es_matrix matrix, double alpha) {
    const int *shape = esi_shape(matrix);
    const esi_weights weights = esi_weights_at(alpha);
    size_t row;
    for (row = 0; row < rows.count; row++) {
        float from[16], to[16], a[4][3], b[4][3];
        int axis, at;
        esi_read(shape, ESI_OLDER(row), from, a);
        esi_read(shape, ESI_NEWER(row), to, b);
        if (!(alpha <= 0.0 || alpha >= 1.0)) {
            esi_blend_matrix(&weights, shape[0], a, b, alpha);
            for (axis = 0; axis <= shape[0]; axis++) {
                for (at = 0; at < shape[0]; at++) to[axis * shape[2] + at * shape[3]] = a[axis][at];
            }
        }
        memcpy(ESI_DRAWN(row), alpha <= 0.0 ? from : to, (size_t)shape[1] * sizeof *to);
    }
}

/* Takes a step. Whether it is explained: by the limit, by twice the last explained step beyond it, or by the step before it. */
static inline bool esi_explain(double steps[2][3], const double step[3], double limit) {
    const double change[3] = {step[0] - steps[1][0], step[1] - steps[1][1], step[2] - steps[1][2]};
    const double beyond = 2.0 * sqrt(esi_dot(steps[0], steps[0]));
    const bool is_explained = sqrt(esi_dot(step, step)) <= limit + beyond || sqrt(esi_dot(change, change)) <= limit;
    if (is_explained) memcpy(steps[0], step, sizeof steps[0]);
    memcpy(steps[1], step, sizeof steps[1]);
    return is_explained;
}

static inline bool esi_is_cut(es_cut *cut, const float a[3], const float b[3], const double turned[3], double distance, double turn) {
    const double moved[3] = {(double)b[0] - (double)a[0], (double)b[1] - (double)a[1], (double)b[2] - (double)a[2]};
    const bool is_moved = esi_explain(cut->moved, moved, distance), is_turned = esi_explain(cut->turned, turned, turn);
    return !(is_moved && is_turned);
}

/* The turn from a to b, as an axis times radians. */
static inline void esi_turn(const float a[4], const float b[4], double turn[3]) {
    const double x = a[0], y = a[1], z = a[2], w = a[3], bx = b[0], by = b[1], bz = b[2], bw = b[3];
    const double dot = x * bx + y * by + z * bz + w * bw;
    const double v[3] = {w * bx - x * bw - y * bz + z * by, w * by + x * bz - y * bw - z * bx, w * bz - x * by + y * bx - z * bw};
    const double sine = sqrt(esi_dot(v, v)), scale = sine < 1e-6 ? 2.0 : 2.0 * atan2(sine, fabs(dot)) / sine;
    int at;
    for (at = 0; at < 3; at++) turn[at] = dot < 0.0 ? -v[at] * scale : v[at] * scale;
}

static inline bool es_is_cut(es_cut *cut, const float older[3], const float newer[3], const float older_quat[4], const float newer_quat[4],
                             double distance, double turn) {
    double turned[3] = {0.0, 0.0, 0.0};
    if (older_quat != NULL && newer_quat != NULL) esi_turn(older_quat, newer_quat, turned);
    return esi_is_cut(cut, older, newer, turned, distance, turn);
}

static inline bool es_is_matrix_cut(es_cut *cut, const void *older, const void *newer, es_matrix matrix, double distance, double turn) {
    const int *shape = esi_shape(matrix);
    float floats[16], a[4][3], b[4][3], from[3] = {0.0f, 0.0f, 0.0f}, to[3] = {0.0f, 0.0f, 0.0f};
    double turned[3] = {0.0, 0.0, 0.0};
    esi_parts parts[2];
    esi_read(shape, older, floats, a);
    esi_read(shape, newer, floats, b);
    memcpy(from, a[shape[0]], (size_t)shape[0] * sizeof *from);
    memcpy(to, b[shape[0]], (size_t)shape[0] * sizeof *to);
    memset(parts, 0, sizeof parts);
    if (shape[0] == 2 && esi_take_apart2(a, &parts[0]) && esi_take_apart2(b, &parts[1])) {
        const float *p = parts[0].rotation, *q = parts[1].rotation;
        const double c = p[0], s = p[1], next_c = q[0], next_s = q[1];
        turned[2] = atan2(c * next_s - s * next_c, c * next_c + s * next_s);
    } else if (shape[0] == 3 && esi_take_apart3(a, &parts[0]) && esi_take_apart3(b, &parts[1])) {
        esi_turn(parts[0].rotation, parts[1].rotation, turned);
    }
    return esi_is_cut(cut, from, to, turned, distance, turn);
}

#undef ESI_DRAWN
#undef ESI_OLDER
#undef ESI_NEWER

#ifdef __cplusplus
/* for (es_step step : frame) in C++. */
struct es_frame_iterator {
    es_frame frame;
    es_step step;
    bool is_end;
    es_step operator*() const { return step; }
    es_frame_iterator &operator++() {
        is_end = !es_frame_next(&frame, &step);
        return *this;
    }
    bool operator!=(const es_frame_iterator &other) const { return is_end != other.is_end; }
};
static inline es_frame_iterator begin(const es_frame &frame) {
    es_frame_iterator first = {frame, es_step(), false};
    return ++first;
}
static inline es_frame_iterator end(const es_frame &frame) {
    es_frame_iterator last = {frame, es_step(), true};
    return last;
}
#endif

#endif
