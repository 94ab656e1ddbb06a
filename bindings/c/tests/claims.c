/* What the header promises beside its results, which scripts.c compares with the core's: claim by claim. C and C++. In this folder:
 *
 *     cc -O2 claims.c -o claims -lm && ./claims
 */
#include <float.h>
#include <stdio.h>
#include <stdlib.h>

#include "../evenstep.h"

#define PI 3.14159265358979323846
#define MS(time) ((uint64_t)(time) * 1000000)

static int failures;
static const char *claim;

/* A number of any type, exactly where long double has 64 bits, as with x86's. */
static void check(bool is_right, int line, const char *call, long double least, long double most, long double got) {
    if (is_right || failures++ >= 20) return;
    fprintf(stderr, "%s:%d: %s: %s: expected %.17g", __FILE__, line, claim, call, (double)least);
    if (least < most) fprintf(stderr, " to %.17g", (double)most);
    fprintf(stderr, ", got %.17g\n", (double)got);
}

static void check_between(int line, const char *call, long double least, long double most, long double got) {
    check(least <= got && got <= most, line, call, least, most, got);
}

#define BETWEEN(call, least, most) check_between(__LINE__, #call, (long double)(least), (long double)(most), (long double)(call))
#define EQUAL(call, expected) check_equal(__LINE__, #call, (long double)(expected), (long double)(call))
#define NEAR(call, expected, bound) check_near(__LINE__, #call, (long double)(expected), (long double)(bound), (long double)(call))
#define CHECK(condition) check_equal(__LINE__, #condition, 1, (condition) ? 1 : 0)

static void check_equal(int line, const char *call, long double expected, long double got) {
    check(got == expected, line, call, expected, expected, got);
}

static void check_near(int line, const char *call, long double expected, long double bound, long double got) {
    check_between(line, call, expected - bound, expected + bound, got);
}

static uint64_t state = 1;

static uint64_t below(uint64_t end) { /* splitmix64, S. Vigna */
    uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (z ^ z >> 31) % end;
}

static double between(double least, double most) { return least + (most - least) * (double)below(1 << 24) / (1 << 24); }

static es_loop unfiltered(uint32_t numer, uint32_t denom) {
    es_loop loop;
    EQUAL(es_loop_init(&loop, numer, denom), true);
    loop.is_filtered = false;
    return loop;
}

static void a_loop_without_a_rate_grants_nothing_and_refuses_what_it_cannot_do(void) {
    es_loop loop;
    es_frame frame;
    es_step step;
    static es_input input;
    memset(&loop, 0, sizeof loop);
    frame = es_loop_begin_frame(&loop, 5);
    frame = es_loop_begin_frame(&loop, MS(1000));
    es_loop_give_back(&loop, &frame, 1);
    es_input_begin_frame(&input, &loop);
    es_loop_set_drop(&loop);
    es_loop_set_max_steps(&loop, 3);
    es_loop_set_max_delta(&loop, 3);
    EQUAL(es_frame_next(&frame, &step), false);
    EQUAL(frame.steps, 0);
    EQUAL(frame.alpha, 0.0);
    EQUAL(es_loop_init(&loop, 0, 1), false);
    EQUAL(es_loop_init(&loop, 60, 0), false);
    EQUAL(es_loop_set_time_scale(&loop, 1, 1), false);
    EQUAL(es_loop_init(&loop, 120, 2), true);
    EQUAL(loop.rate_numer, 60);
    EQUAL(loop.rate_denom, 1);
    EQUAL(es_loop_set_time_scale(&loop, 1, 0), false);
    EQUAL(es_loop_set_stretch(&loop, 1, 0), false);
    EQUAL(es_input_press_at(&input, 0, ES_KEYS), false);
    EQUAL(es_input_is_down(&input, ES_KEYS), false);
    EQUAL(es_input_presses(&input, UINT32_MAX), 0);
}

static void what_a_policy_promises_to_keep_is_kept(void) {
    es_loop loop = unfiltered(60, 1);
    es_frame frame;
    es_loop_set_carry(&loop, MS(1000));
    es_loop_advance(&loop, MS(100));
    frame = es_loop_advance(&loop, MS(400));
    EQUAL(frame.clamped, 0);
    EQUAL(frame.dropped, 0);
    EQUAL(frame.is_behind, true);
    EQUAL(frame.steps, 15);
    frame = es_loop_advance(&loop, 0);
    EQUAL(frame.steps, 0); /* no time, no steps */
    frame = es_loop_advance(&loop, MS(1));
    EQUAL(frame.tick, 30);
    EQUAL(frame.is_behind, false);
    es_loop_set_stretch(&loop, 2, 1);
    frame = es_loop_advance(&loop, MS(500));
    EQUAL(frame.steps, 15);
    EQUAL(frame.is_behind, true);
    frame = es_loop_advance(&loop, MS(100));
    EQUAL(frame.steps, 12);
    EQUAL(frame.is_behind, true);
    EQUAL(frame.dropped, 0);
}

static void steps_that_are_given_back_follow_the_policy(void) {
    es_loop loop = unfiltered(100, 1);
    es_frame frame = es_loop_advance(&loop, MS(40)), old = frame;
    es_step step = {0, 0.0, false};
    EQUAL(es_frame_next(&frame, &step), true);
    EQUAL(step.tick, 0);
    EQUAL(step.is_last, false);
    EQUAL(step.dt, 0.01);
    es_loop_give_back(&loop, &frame, 3);
    EQUAL(frame.tick, 1);
    EQUAL(frame.dropped, 3);
    EQUAL(es_frame_next(&frame, &step), false);
    es_loop_set_carry(&loop, MS(1000));
    frame = es_loop_advance(&loop, MS(20));
    es_loop_give_back(&loop, &old, 1);
    EQUAL(loop.tick, 3);
    EQUAL(old.tick, 4);
    es_loop_give_back(&loop, &frame, 9);
    EQUAL(frame.tick, 1);
    EQUAL(frame.dropped, 0);
    EQUAL(frame.is_behind, true);
    frame = es_loop_advance(&loop, MS(10));
    EQUAL(frame.steps, 3);
    EQUAL(es_frame_next(&frame, &step), true);
    EQUAL(es_frame_next(&frame, &step), true);
    EQUAL(es_frame_next(&frame, &step), true);
    EQUAL(step.is_last, true);
}

static void a_pause_takes_its_time_and_single_steps_run_in_it(void) {
    es_loop loop = unfiltered(100, 1);
    es_frame frame = es_loop_begin_frame(&loop, 0);
    frame = es_loop_begin_frame(&loop, MS(10));
    es_loop_pause(&loop);
    frame = es_loop_begin_frame(&loop, MS(5000));
    EQUAL(frame.steps, 0);
    EQUAL(frame.paused, MS(4990));
    EQUAL(es_loop_is_paused(&loop), true);
    es_loop_step_once(&loop);
    frame = es_loop_begin_frame(&loop, MS(5010));
    EQUAL(frame.steps, 1);
    EQUAL(frame.single_steps, 1);
    EQUAL(frame.tick, 2);
    es_loop_resume(&loop);
    EQUAL(es_loop_is_paused(&loop), false);
    frame = es_loop_begin_frame(&loop, MS(6000));
    EQUAL(frame.steps, 0);
    EQUAL(frame.paused, MS(990));
    EQUAL(es_loop_is_paused(&loop), false);
    frame = es_loop_begin_frame(&loop, MS(6020));
    EQUAL(frame.steps, 2);
    EQUAL(frame.dropped, 0);
    EQUAL(frame.clamped, 0);
    es_loop_resume_dropping(&loop); /* noticed too late */
    frame = es_loop_begin_frame(&loop, MS(9020));
    EQUAL(frame.steps, 0);
    EQUAL(frame.paused, MS(3000));
    EQUAL(es_loop_set_time_scale(&loop, 0, 3), true);
    EQUAL(es_loop_begin_frame(&loop, MS(9120)).steps, 0);
    EQUAL(es_loop_set_time_scale(&loop, 1, 2), true);
    EQUAL(es_loop_begin_frame(&loop, MS(9220)).steps, 5);
    es_loop_reset(&loop);
    EQUAL(loop.tick, 0);
    EQUAL(es_loop_begin_frame(&loop, MS(9240)).tick, 1);
}

static void a_pause_begins_with_the_next_frame_wherever_it_is_called(void) {
    int moment;
    for (moment = 0; moment < 3; moment++) { /* before the steps, in one, after them */
        es_loop loop = unfiltered(100, 1);
        es_frame frame = es_loop_begin_frame(&loop, 0);
        es_step step;
        int steps = 0;
        frame = es_loop_begin_frame(&loop, MS(30));
        if (moment == 0) es_loop_pause(&loop);
        for (; es_frame_next(&frame, &step); steps++) {
            if (moment == 1) es_loop_pause(&loop);
        }
        if (moment == 2) es_loop_pause(&loop);
        EQUAL(steps, 3);
        frame = es_loop_begin_frame(&loop, MS(60));
        EQUAL(frame.steps, 0);
        EQUAL(frame.paused, MS(30));
        es_loop_resume(&loop);
        frame = es_loop_begin_frame(&loop, MS(90));
        EQUAL(frame.steps, 0);
        EQUAL(frame.paused, MS(30));
        EQUAL(es_loop_begin_frame(&loop, MS(120)).steps, 3);
    }
}

static void any_delta_is_accepted(void) {
    static const uint32_t RATES[][2] = {{1, 1}, {UINT32_MAX, 1}, {1, UINT32_MAX}, {UINT32_MAX, UINT32_MAX - 1}};
    static const uint32_t SCALES[][2] = {{1, 1}, {UINT32_MAX, 1}, {1, UINT32_MAX}, {UINT32_MAX, UINT32_MAX - 1}, {0, 1}};
    static const uint64_t DELTAS[] = {0, 1, MS(250), UINT64_C(1) << 62, UINT64_MAX};
    size_t rate, scale, delta, policy;
    es_filter filter;
    memset(&filter, 0, sizeof filter);
    for (rate = 0; rate < 4; rate++) {
        for (scale = 0; scale < 5; scale++) {
            es_loop loop = unfiltered(RATES[rate][0], RATES[rate][1]);
            for (policy = 0; policy < 6; policy++) {
                if (policy == 1) es_loop_set_carry(&loop, UINT64_MAX);
                if (policy == 2) es_loop_set_stretch(&loop, UINT32_MAX, 1);
                if (policy == 3) es_loop_set_max_delta(&loop, INT64_MAX);
                if (policy == 4) es_loop_set_max_steps(&loop, INT64_MAX);
                if (policy == 5) es_loop_set_stretch(&loop, UINT32_MAX, UINT32_MAX - 1);
                es_loop_set_time_scale(&loop, SCALES[scale][0], SCALES[scale][1]);
                for (delta = 0; delta < 25; delta++) {
                    es_frame frame = es_loop_advance(&loop, DELTAS[delta % 5]);
                    if (delta % 3 == 0) es_loop_give_back(&loop, &frame, UINT32_MAX);
                    BETWEEN(loop.fraction, 0, esi_step_units(&loop) - 1);
                    BETWEEN(loop.backlog, 0, UINT64_C(1) << 62);
                    EQUAL(frame.tick, frame.first_tick + frame.steps);
                }
            }
        }
    }
    for (delta = 0; delta < 25; delta++) es_filter_apply(&filter, DELTAS[delta % 5]);
    CHECK(es_filter_apply(&filter, UINT64_MAX) >= UINT64_MAX - MS(5));
}

/* A machine on which a step takes `cost` of what it simulates, and drawing 4 ms: frames a second, and the speed of the game. */
static void play_slowly(es_loop *loop, double cost, double *frames, double *speed, uint64_t *lost) {
    const uint64_t begin = MS(3456000), end = begin + MS(30000);
    uint64_t now = begin, steps = 0, drawn = 0;
    *lost = 0;
    while (now < end) {
        es_frame frame = es_loop_begin_frame(loop, now);
        *lost += frame.clamped;
        steps += frame.steps;
        now += (uint64_t)(frame.steps * cost * 1e9 / 60.0) + MS(4);
        drawn++;
    }
    *frames = (double)drawn / 30.0;
    *speed = (double)steps / 60.0 / 30.0;
}

static void a_machine_that_is_too_slow_goes_on_drawing(void) {
    /* The cost of a step, frames a second, the speed; the speed with frames of up to 250 ms. */
    static const double ROWS[4][4] = {{1.0, 9.6, 0.96, 0.99}, {1.05, 9.1, 0.92, 0.94}, {1.2, 8.0, 0.81, 0.83}, {2.0, 4.9, 0.49, 0.49}};
    int row;
    for (row = 0; row < 4; row++) {
        es_loop loop, patient = unfiltered(60, 1);
        double frames, speed;
        uint64_t lost;
        es_loop_init(&loop, 60, 1);
        play_slowly(&loop, ROWS[row][0], &frames, &speed, &lost);
        NEAR(frames, ROWS[row][1], 0.7);
        NEAR(speed, ROWS[row][2], 0.02);
        NEAR((double)lost / 30e9, 1.0 - speed, 0.01);
        play_slowly(&patient, ROWS[row][0], &frames, &speed, &lost);
        NEAR(speed, ROWS[row][3], 0.02);
    }
}

/* A control loop of 1 kHz, whose timer is 20 us late, is stopped for 20.4 ms. */
static void a_controller_that_was_stopped_runs_one_tick_keeps_its_grid_and_knows_what_it_lost(void) {
    const uint64_t begin = MS(1000), stopped_until = begin + MS(1000) + 20400000;
    uint64_t now = begin, ticks = 0, dropped = 0;
    uint32_t n, most = 0;
    es_loop loop = unfiltered(1000, 1);
    es_loop_set_max_steps(&loop, 1);
    es_loop_begin_frame(&loop, now);
    for (n = 1; n <= 2000; n++) {
        uint64_t due = begin + MS(n) + 20000;
        es_frame frame;
        if (n > 1000 && due < stopped_until) due = stopped_until;
        if (due == now) continue;
        now = due;
        frame = es_loop_begin_frame(&loop, now);
        if (frame.steps > most) most = frame.steps;
        if (n > 1020) EQUAL(frame.steps, 1);
        ticks += frame.steps;
        dropped += frame.dropped;
    }
    EQUAL(most, 1);
    EQUAL(dropped, 19);
    EQUAL(ticks + dropped, 2000);
}

/* Runs a frame and counts the presses of key 1. */
static uint32_t run(es_loop *loop, es_input *input, uint64_t now) {
    es_frame frame = es_loop_begin_frame(loop, now);
    es_step step;
    uint32_t presses = 0;
    es_input_begin_frame(input, loop);
    while (es_frame_next(&frame, &step)) {
        es_input_begin_step(input, &step);
        presses += es_input_presses(input, 1);
    }
    return presses;
}

static void a_step_that_is_given_back_has_its_input_when_it_comes_again(void) {
    es_loop loop = unfiltered(100, 1);
    static es_input input;
    es_frame frame;
    es_step step = {0, 0.0, false};
    es_loop_set_carry(&loop, MS(1000));
    run(&loop, &input, 0);
    es_input_press_at(&input, MS(13), 1);
    es_input_release_at(&input, MS(14), 1);
    frame = es_loop_begin_frame(&loop, MS(20));
    es_input_begin_frame(&input, &loop);
    while (es_frame_next(&frame, &step)) es_input_begin_step(&input, &step);
    EQUAL(es_input_presses(&input, 1), 1);
    es_input_begin_step(&input, &step);
    EQUAL(es_input_presses(&input, 1), 1);
    es_loop_give_back(&loop, &frame, 1);
    es_input_press_at(&input, MS(21), 1);
    es_loop_set_max_steps(&loop, 0);
    EQUAL(run(&loop, &input, MS(22)), 0);
    es_loop_set_max_steps(&loop, 1);
    EQUAL(run(&loop, &input, MS(23)), 1);
    EQUAL(loop.tick, 2);
    es_loop_set_max_steps(&loop, -1);
    EQUAL(run(&loop, &input, MS(40)), 1);
}

static void without_room_what_is_held_in_the_end_is_kept(void) {
    es_loop loop = unfiltered(100, 1);
    static es_input input;
    uint32_t n, taken = 0;
    run(&loop, &input, 0);
    for (n = 0; n < 200; n++) taken += es_input_press_at(&input, MS(1), 1) + es_input_release_at(&input, MS(1), 1);
    EQUAL(taken, ES_EVENTS);
    EQUAL(input.refused, 400 - ES_EVENTS);
    EQUAL(es_input_press_at(&input, MS(2), 7), false);
    EQUAL(es_input_release_at(&input, MS(2), 1), false);
    EQUAL(run(&loop, &input, MS(10)), ES_EVENTS / 2);
    EQUAL(es_input_is_held_at_end(&input, 7), true);
    EQUAL(es_input_presses(&input, 7), 0);
    EQUAL(es_input_is_held_at_end(&input, 1), false);
    EQUAL(es_input_press_at(&input, MS(15), 1), true);
    EQUAL(run(&loop, &input, MS(20)), 1);
}

static void the_rooms_and_the_longest_delta_are_those_of_the_documentation(void) {
    es_loop loop = unfiltered(60, 1);
    static es_input input;
    uint32_t n;
    for (n = 0; n < 128; n++) EQUAL(es_input_press_at(&input, MS(1), n), true);
    EQUAL(es_input_press_at(&input, MS(1), 128), false);
    memset(&input, 0, sizeof input);
    EQUAL(es_input_press_at(&input, MS(1), 511), true);
    EQUAL(es_input_press_at(&input, MS(1), 512), false);
    EQUAL(es_loop_advance(&loop, MS(250)).clamped, 0);
    EQUAL(es_loop_advance(&loop, MS(250) + 1).clamped, 1);
    EQUAL(loop.tick, 30);
}

static void a_window_that_loses_the_focus_leaves_no_key_held_whatever_waits(void) {
    uint32_t waiting, met = 0;
    for (waiting = 0; waiting <= 130; waiting++) {
        es_loop loop = unfiltered(100, 1);
        static es_input input;
        uint32_t n;
        bool is_taken;
        memset(&input, 0, sizeof input);
        run(&loop, &input, 0);
        es_input_press_at(&input, MS(1), 7);
        for (n = 1; n < waiting; n++) {
            if (n % 2 == 1) es_input_press_at(&input, MS(2), 1);
            if (n % 2 == 0) es_input_release_at(&input, MS(2), 1);
        }
        is_taken = es_input_release_all_at(&input, MS(3));
        met += !is_taken;
        EQUAL(is_taken, waiting < 128);
        run(&loop, &input, MS(30));
        EQUAL(es_input_is_held_at_end(&input, 7), false);
        EQUAL(es_input_is_held_at_end(&input, 1), false);
    }
    EQUAL(met, 3);
}

static void repetitions_count_for_nothing_and_a_late_event_acts_in_the_next_step(void) {
    es_loop loop = unfiltered(100, 1);
    static es_input input;
    run(&loop, &input, 0);
    for (int n = 0; n < 3; n++) es_input_press_at(&input, MS(3), 1);
    EQUAL(run(&loop, &input, MS(10)), 1);
    EQUAL(run(&loop, &input, MS(20)), 0);
    es_input_release_at(&input, MS(2), 1);
    es_input_press_at(&input, 0, 1);
    EQUAL(run(&loop, &input, MS(30)), 0);
    EQUAL(es_input_is_held_at_end(&input, 1), false); /* in the order of their times */
}

/* A program that begins `begin` after its clock did, and taps every tenth frame: how many taps its steps see. */
static uint32_t taps_seen(uint64_t begin, bool is_filtered, bool is_late, es_input *input) {
    es_loop loop = unfiltered(60, 1);
    uint32_t seen = 0, n;
    loop.is_filtered = is_filtered;
    memset(input, 0, sizeof *input);
    if (is_late && begin > 0) {
        es_input_press_at(input, begin - 1, 2);
    } else {
        es_input_press(input, 2);
    }
    run(&loop, input, begin);
    for (n = 1; n <= 100; n++) {
        if (n % 10 == 0 && is_late) {
            es_input_press_at(input, 0, 1);
            es_input_release_at(input, 0, 1);
        } else if (n % 10 == 0) {
            es_input_press(input, 1);
            es_input_release(input, 1);
        }
        if (n == 1) es_input_press(input, 3);
        if (n == 40) es_loop_pause(&loop);
        if (n == 49) es_loop_resume(&loop);
        seen += run(&loop, input, begin + n * MS(17));
        EQUAL(es_input_presses(input, 2), 0);
        EQUAL(es_input_is_held_at_end(input, 3), loop.tick > 0);
    }
    EQUAL(es_input_is_held_at_end(input, 2), true);
    EQUAL(es_input_is_held_at_end(input, 1), false);
    return seen;
}

static void an_event_without_a_time_and_one_of_long_ago_act_in_the_next_step_by_any_clock(void) {
    static const uint64_t BEGINS[] = {0, 1, MS(3), MS(7000), MS(3456000000), MS(1790000000000)};
    static es_input input;
    size_t at;
    for (at = 0; at < sizeof BEGINS / sizeof *BEGINS; at++) {
        const bool is_far = BEGINS[at] > MS(1000);
        EQUAL(taps_seen(BEGINS[at], at % 2 == 0, false, &input), 9); /* one was in the pause */
        EQUAL(input.late, 0);
        EQUAL(input.foreign, 0);
        EQUAL(taps_seen(BEGINS[at], at % 2 == 0, true, &input), 10);
        EQUAL(input.late, 20);
        if (is_far) EQUAL(input.foreign, 20);
    }
}

static void a_time_of_a_clock_that_is_ahead_is_counted_and_a_long_frame_is_none(void) {
    es_loop loop = unfiltered(60, 1);
    static es_input input;
    run(&loop, &input, MS(500000));
    es_input_press_at(&input, MS(503000), 1);
    run(&loop, &input, MS(504000));
    EQUAL(input.foreign, 0);
    es_input_press_at(&input, MS(1790000000000), 1);
    run(&loop, &input, MS(505000));
    run(&loop, &input, MS(506000));
    EQUAL(input.foreign, 1);
    EQUAL(input.count, 1);
}

/* A key of SDL, with its time in nanoseconds or, of SDL 2, milliseconds since the program began, beside frames by SDL's clock. */
static void a_key_with_the_time_of_sdl_acts_in_the_step_of_its_time(void) {
    static const uint64_t UNITS[2] = {1, 1000000};
    size_t at;
    for (at = 0; at < 2; at++) {
        static es_input input;
        const uint64_t unit = UNITS[at];
        es_loop loop;
        uint32_t n, presses = 0;
        memset(&input, 0, sizeof input);
        EQUAL(es_loop_init(&loop, 60, 1), true);
        for (n = 0; n < 200; n++) {
            const uint64_t ticks = (MS(7123) + (uint64_t)n * 1000000000 / 60) / unit; /* SDL_GetTicksNS(), SDL_GetTicks64() */
            if (n % 10 == 9) {
                const uint64_t timestamp = ticks - MS(5) / unit; /* Uint64 of an SDL_KeyboardEvent, Uint32 in SDL 2 */
                es_input_press_at(&input, timestamp * unit, 1);
                es_input_release_at(&input, (timestamp + MS(3) / unit) * unit, 1);
            }
            presses += run(&loop, &input, ticks * unit);
        }
        EQUAL(presses, 20);
        EQUAL(input.late, 0);
        EQUAL(input.foreign, 0);
    }
}

typedef struct body {
    char before[3]; /* so that the numbers are unaligned where the struct is packed by hand */
    float x, y, angle, rotation[2], quat[4];
    double zoom;
} body;

static void rows_of_any_layout_and_alignment_are_blended_and_nothing_else_is_written(void) {
    enum { BODIES = 5, ODD = 13 };
    body before[BODIES], now[BODIES], drawn[BODIES];
    unsigned char packed[3][BODIES * ODD + 1];
    es_rows rows = {BODIES, sizeof(body), sizeof(body)}, odd = {BODIES, ODD, ODD};
    size_t at;
    for (at = 0; at < BODIES; at++) {
        memset(&before[at], 0, sizeof before[at]);
        before[at].x = (float)at;
        before[at].y = -(float)at;
        before[at].angle = 6.0f;
        before[at].zoom = 1.0;
        before[at].rotation[0] = before[at].quat[3] = 1.0f;
        now[at] = before[at];
        now[at].x += 2.0f;
        now[at].y += 4.0f;
        now[at].angle = 0.5f;
        now[at].zoom = 2.0;
        now[at].rotation[0] = now[at].quat[3] = cosf(0.5f);
        now[at].rotation[1] = now[at].quat[1] = sinf(0.5f);
    }
    memset(drawn, 0x55, sizeof drawn);
    es_blend_floats(rows, &drawn->x, &before->x, &now->x, 2, 0.5);
    es_blend_angles(rows, &drawn->angle, &before->angle, &now->angle, 2 * PI, 0.5);
    es_blend_doubles(rows, &drawn->zoom, &before->zoom, &now->zoom, 1, 0.25);
    es_blend_rot2s(rows, drawn->rotation, before->rotation, now->rotation, 0.5);
    es_blend_quats(rows, drawn->quat, before->quat, now->quat, 0.5);
    for (at = 0; at < BODIES; at++) {
        EQUAL(drawn[at].x, (float)at + 1.0f);
        EQUAL(drawn[at].y, 2.0f - (float)at);
        EQUAL(drawn[at].zoom, 1.25);
        NEAR(drawn[at].angle, 0.5 * (6.0 + 0.5 + 2 * PI), 1e-6);
        NEAR(drawn[at].rotation[1], sinf(0.25f), 1e-6f);
        NEAR(drawn[at].quat[1], sinf(0.25f), 1e-6f);
        EQUAL(drawn[at].before[0], 0x55);
        EQUAL(drawn[at].before[2], 0x55);
    }
    for (at = 0; at < BODIES; at++) { /* at odd addresses, in place, past the end nothing */
        const float numbers[2][3] = {{1.0f, 2.0f, 3.0f}, {3.0f, 4.0f, 5.0f}};
        memcpy(packed[0] + at * ODD + 1, numbers[0], 12);
        memcpy(packed[1] + at * ODD + 1, numbers[1], 12);
    }
    packed[1][0] = 77;
    es_blend_floats(odd, packed[1] + 1, packed[0] + 1, packed[1] + 1, 3, 0.5);
    for (at = 0; at < BODIES; at++) {
        float numbers[3];
        memcpy(numbers, packed[1] + at * ODD + 1, sizeof numbers);
        EQUAL(numbers[0], 2.0f);
        EQUAL(numbers[1], 3.0f);
        EQUAL(numbers[2], 4.0f);
    }
    EQUAL(packed[1][0], 77);
    rows.count = 0;
    es_blend_floats(rows, NULL, NULL, NULL, 2, 0.5);
    es_blend_matrices(rows, NULL, NULL, NULL, ES_MATRIX_4X4_ROWS, 0.5);
}

#ifndef __FAST_MATH__
#if FLT_EVAL_METHOD == 0
static void parts_of_the_rows_have_the_bits_of_one_call(void) {
    enum { BODIES = 100 };
    static float older[BODIES][16], newer[BODIES][16], expected[BODIES][16], drawn[BODIES][16];
    es_rows part = {BODIES, sizeof *older, sizeof *drawn};
    size_t row, first;
    int kind;
    for (row = 0; row < BODIES; row++) {
        const float angle = 0.06f * (float)row; /* small turns and large ones */
        older[row][0] = older[row][5] = older[row][10] = older[row][15] = newer[row][10] = newer[row][15] = 1.0f;
        newer[row][0] = newer[row][5] = cosf(angle);
        newer[row][1] = sinf(angle);
        newer[row][4] = -sinf(angle);
        newer[row][12] = (float)row / 3.0f;
    }
    for (kind = 0; kind < 4; kind++) {
        for (part.count = BODIES; part.count > 0; part.count = part.count * 2 / 3) { /* all, then smaller parts */
            memset(drawn, 0, sizeof drawn);
            for (first = 0; first < BODIES; first += part.count) {
                es_rows rows = part;
                if (rows.count > BODIES - first) rows.count = BODIES - first;
                if (kind == 0) es_blend_floats(rows, drawn[first], older[first], newer[first], 16, 0.3);
                if (kind == 1) es_blend_rot2s(rows, drawn[first], older[first], newer[first], 0.3);
                if (kind == 2) es_blend_quats(rows, drawn[first], older[first], newer[first], 0.3);
                if (kind == 3) es_blend_matrices(rows, drawn[first], older[first], newer[first], ES_MATRIX_4X4_COLUMNS, 0.3);
            }
            if (part.count == BODIES) memcpy(expected, drawn, sizeof expected);
            EQUAL(memcmp(expected, drawn, sizeof expected), 0);
        }
    }
}
#endif

static void nan_stays_in_its_row_and_a_state_that_rests_keeps_its_bits(void) {
    const float nan = (float)(HUGE_VAL - HUGE_VAL);
    float older[3][4] = {{0.0f, 0.0f, 0.0f, 1.0f}, {nan, 0.0f, 0.0f, 1.0f}, {0.6f, -0.0f, 0.80001f, -0.0f}}, newer[3][4], drawn[3][4];
    es_rows rows = {3, sizeof *older, sizeof *drawn};
    int at;
    memcpy(newer, older, sizeof older);
    newer[0][0] = newer[0][3] = 0.70710678f;
    newer[1][0] = 0.5f;
    es_blend_quats(rows, drawn, older, newer, 0.3);
    BETWEEN(drawn[0][0], 0.2, 1.0);
    BETWEEN(drawn[0][3], 0.9, 1.0);
    for (at = 0; at < 4; at++) CHECK(drawn[1][at] != drawn[1][at]);
    EQUAL(memcmp(drawn[2], older[2], sizeof *drawn), 0);
    es_blend_floats(rows, drawn, older, newer, 4, 0.3);
    CHECK(drawn[1][0] != drawn[1][0]);
    EQUAL(drawn[1][3], 1.0f);
    EQUAL(memcmp(drawn[2], older[2], sizeof *drawn), 0);
    es_blend_floats(rows, drawn, older, newer, 4, 0.0);
    EQUAL(memcmp(drawn[2], older[2], sizeof *drawn), 0);
    EQUAL(drawn[0][0], 0.0f);
    es_blend_quats(rows, drawn, older, newer, 1.5);
    EQUAL(memcmp(drawn, newer, sizeof drawn), 0);
    CHECK(es_blend(1.0, 2.0, nan) != es_blend(1.0, 2.0, nan));
    CHECK(es_blend_angle(nan, 1.0, 360.0, 0.5) != 0.0);
    EQUAL(es_blend_angle(-1e300, 1e300, 360.0, 0.5), es_blend_angle(-1e300, 1e300, 360.0, 0.5));
}
#endif

static void angles_go_the_shorter_way(void) {
    NEAR(es_blend_angle(350.0, 10.0, 360.0, 0.5), 360.0, 1e-12);
    NEAR(es_blend_angle(10.0, 350.0 + 7 * 360.0, 360.0, 0.5), 0, 1e-9);
    EQUAL(es_blend_angle(350.0, 10.0, 0.0, 0.5), 180.0);
    EQUAL(es_blend_angle(350.0, 10.0, -1.0, 0.5), 180.0);
}

/* A rotation about a random axis. */
static void any_quat(double turn, float quat[4]) {
    double axis[3], length;
    do {
        axis[0] = between(-1.0, 1.0);
        axis[1] = between(-1.0, 1.0);
        axis[2] = between(-1.0, 1.0);
        length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    } while (length < 0.1);
    for (int at = 0; at < 3; at++) quat[at] = (float)(axis[at] / length * sin(turn / 2));
    quat[3] = (float)cos(turn / 2);
}

static void what_is_spawned_moving_is_drawn_on_its_way(void) {
    const uint32_t rates[] = {20, 60, 144}, displays[] = {30, 60, 144, 240};
    uint32_t rate, display, n;
    for (rate = 0; rate < 3; rate++) {
        for (display = 0; display < 4; display++) {
            es_loop loop = unfiltered(rates[rate], 1);
            double before = 0.0, gun = 0.0, shot_before = 0.0, shot = 0.0;
            bool is_there = false;
            for (n = 0; n < 2 * displays[display]; n++) {
                es_frame frame = es_loop_advance(&loop, 1000000000u / displays[display]);
                es_step step;
                while (es_frame_next(&frame, &step)) {
                    const double way = 10.0 * step.dt;
                    before = gun;
                    gun += way;
                    shot_before = shot;
                    shot += way;
                    if (step.tick == 9) {
                        shot = gun + 2.0;
                        shot_before = shot - way;
                        is_there = true;
                    }
                }
                if (is_there) NEAR(es_blend(shot_before, shot, frame.alpha) - es_blend(before, gun, frame.alpha), 2.0, 1e-9);
            }
            EQUAL(is_there, true);
        }
    }
}

static void rotations_are_within_a_millionth_of_slerp_at_all_angles(void) {
    int round, at;
    const es_rows row = {1, 0, 0};
    for (round = 0; round < 20000; round++) {
        const double alpha = between(0.0, 1.0), turn = between(-PI, PI), start = between(-PI, PI);
        float a[4], b[4], r[4], older[2], newer[2], drawn[2];
        double dot = 0.0, angle, off = 0.0, length = 0.0, first, last;
        any_quat(between(0.0, 2 * PI), a);
        any_quat(between(0.0, 2 * PI), b);
        es_blend_quats(row, r, a, b, alpha);
        for (at = 0; at < 4; at++) dot += (double)a[at] * b[at];
        angle = acos(fabs(dot) < 1.0 ? fabs(dot) : 1.0);
        first = angle < 1e-4 ? 1.0 - alpha : sin((1.0 - alpha) * angle) / sin(angle);
        last = angle < 1e-4 ? alpha : sin(alpha * angle) / sin(angle);
        for (at = 0; at < 4; at++) {
            const double exact = first * a[at] + (dot < 0.0 ? -last : last) * b[at];
            off += (r[at] - exact) * (r[at] - exact);
            length += (double)r[at] * r[at];
        }
        NEAR(sqrt(off), 0.0, 1e-6);
        NEAR(length, 1.0, 1e-6);
        older[0] = (float)cos(start);
        older[1] = (float)sin(start);
        newer[0] = (float)cos(start + turn);
        newer[1] = (float)sin(start + turn);
        es_blend_rot2s(row, drawn, older, newer, alpha);
        if (fabs(turn) < 3.1415) {
            NEAR(drawn[0], cos(start + alpha * turn), 2e-6);
            NEAR(drawn[1], sin(start + alpha * turn), 2e-6);
        }
    }
}

/* A rotation times a stretch, mirrored or not, and a position; columns. */
static void any_matrix(float m[16], const float quat[4], const double size[3]) {
    const double x = quat[0], y = quat[1], z = quat[2], w = quat[3];
    const double e[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)},
                            {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)},
                            {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)}};
    int axis, at;
    for (axis = 0; axis < 3; axis++) {
        for (at = 0; at < 3; at++) m[4 * axis + at] = (float)(e[axis][at] * size[axis]);
        m[12 + axis] = (float)between(-9.0, 9.0);
        m[4 * axis + 3] = 0.0f;
    }
    m[15] = 1.0f;
}

static void matrices_turn_without_shear_and_keep_their_hand(void) {
    const es_rows row = {1, 0, 0};
    int round, axis, other, at;
    for (round = 0; round < 20000; round++) {
        const double alpha = between(0.0, 1.0);
        const double size[3] = {between(0.1, 9.0), between(0.1, 9.0), between(0.1, 9.0) * (round % 2 == 0 ? 1 : -1)};
        float quat[4], a[16], b[16], m[16], flat[3][12], rows[3][16];
        any_quat(between(0.0, 2 * PI), quat);
        any_matrix(a, quat, size);
        any_quat(between(0.0, 2 * PI), quat);
        any_matrix(b, quat, size);
        es_blend_matrices(row, m, a, b, ES_MATRIX_4X4_COLUMNS, alpha);
        for (axis = 0; axis < 3; axis++) {
            for (other = axis; other < 3; other++) {
                double dot = 0.0;
                for (at = 0; at < 3; at++) dot += (double)m[4 * axis + at] * m[4 * other + at];
                dot /= fabs(size[axis] * size[other]);
                NEAR(dot, axis == other ? 1.0 : 0.0, 2e-6);
            }
            NEAR(m[12 + axis], es_blendf(a[12 + axis], b[12 + axis], alpha), 4e-6f);
            EQUAL(m[4 * axis + 3], 0.0f);
        }
        const double volume = (double)m[0] * (m[5] * m[10] - m[6] * m[9]) + (double)m[4] * (m[9] * m[2] - m[10] * m[1]) +
                              (double)m[8] * (m[1] * m[6] - m[2] * m[5]);
        CHECK(volume * size[2] > 0.0);
        EQUAL(m[15], 1.0f);
        for (axis = 0; axis < 4; axis++) { /* the same numbers in another order */
            for (at = 0; at < 4; at++) {
                rows[0][4 * at + axis] = a[4 * axis + at];
                rows[1][4 * at + axis] = b[4 * axis + at];
            }
        }
        memcpy(flat[0], rows[0], sizeof flat[0]);
        memcpy(flat[1], rows[1], sizeof flat[1]);
        es_blend_matrices(row, rows[2], rows[0], rows[1], ES_MATRIX_4X4_ROWS, alpha);
        es_blend_matrices(row, flat[2], flat[0], flat[1], ES_MATRIX_3X4_ROWS, alpha);
        for (axis = 0; axis < 4; axis++) {
            for (at = 0; at < 4; at++) EQUAL(rows[2][4 * at + axis], m[4 * axis + at]);
        }
        EQUAL(memcmp(flat[2], rows[2], sizeof flat[2]), 0);
    }
}

static void matrices_of_the_plane_and_those_without_a_rotation(void) {
    const es_rows row = {1, 0, 0};
    const float a[6] = {2.0f, 0.0f, 0.0f, 3.0f, 0.0f, 4.0f}, quarter[6] = {0.0f, 2.0f, -3.0f, 0.0f, 8.0f, 4.0f};
    const float none[6] = {0.0f, 0.0f, 0.0f, 3.0f, 0.0f, 4.0f}, mirrored[6] = {0.0f, 2.0f, 3.0f, 0.0f, 8.0f, 4.0f};
    const double half = sqrt(0.5);
    float m[6];
    es_blend_matrices(row, m, a, quarter, ES_MATRIX_2X3_COLUMNS, 0.5);
    NEAR(m[0], 2 * half, 1e-6);
    NEAR(m[1], 2 * half, 1e-6);
    NEAR(m[2], -3 * half, 1e-6);
    EQUAL(m[4], 4.0f);
    EQUAL(m[5], 4.0f);
    es_blend_matrices(row, m, a, none, ES_MATRIX_2X3_COLUMNS, 0.5);
    EQUAL(m[0], 1.0f);
    EQUAL(m[3], 3.0f);
    es_blend_matrices(row, m, a, mirrored, ES_MATRIX_2X3_COLUMNS, 0.25);
    EQUAL(m[0], 0.0f);
    EQUAL(m[1], 2.0f);
    EQUAL(m[2], 3.0f);
    EQUAL(m[4], 2.0f);
    es_blend_matrices(row, m, a, quarter, ES_MATRIX_2X3_COLUMNS, 1.0);
    EQUAL(memcmp(m, quarter, sizeof m), 0);
    es_blend_matrices(row, m, a, a, ES_MATRIX_2X3_COLUMNS, 0.7);
    EQUAL(memcmp(m, a, sizeof m), 0);
}

static void a_cut_is_told_from_a_motion(void) {
    static const double WAY[] = {0.1, 0.2, 0.3, 25.0, 25.1, 75.1, 125.1};
    static const bool IS_CUT[] = {false, false, false, true, false, true, false}; /* of a fast motion the first step only */
    const double size[3] = {2.0, 3.0, -1.0};
    es_cut cut, of_matrix, turned;
    float older[3] = {0.0f, 0.0f, 0.0f}, newer[3] = {0.0f, 0.0f, 0.0f}, quat[4], a[16], b[16], half[4];
    size_t at;
    int step, wrong = 0;
    memset(&cut, 0, sizeof cut);
    memset(&of_matrix, 0, sizeof of_matrix);
    memset(&turned, 0, sizeof turned);
    any_quat(1.0, quat);
    any_matrix(a, quat, size);
    a[12] = a[13] = a[14] = 0.0f;
    for (at = 0; at < sizeof WAY / sizeof *WAY; at++) {
        newer[0] = (float)WAY[at];
        memcpy(b, a, sizeof b);
        b[12] = newer[0];
        EQUAL(es_is_cut(&cut, older, newer, quat, quat, 0.5, 0.6), IS_CUT[at]);
        EQUAL(es_is_matrix_cut(&of_matrix, a, b, ES_MATRIX_4X4_COLUMNS, 0.5, 0.6), IS_CUT[at]);
        older[0] = newer[0];
        memcpy(a, b, sizeof a);
    }
    for (step = 0; step < 2000; step++) { /* a camera that turns, at times by another name, and looks elsewhere in every hundredth step */
        const double angle = 0.05 * step + (step % 100 >= 50 ? 2.0 : 0.0);
        const float *last = step % 2 == 0 ? quat : half, *next = step % 2 == 0 ? half : quat;
        float *parts = step % 2 == 0 ? half : quat;
        const float sign = step % 3 == 0 ? -1.0f : 1.0f;
        parts[0] = parts[1] = 0.0f;
        parts[2] = sign * (float)sin(angle / 2);
        parts[3] = sign * (float)cos(angle / 2);
        if (step > 0) wrong += es_is_cut(&turned, older, older, last, next, 0.5, 0.6) != (step % 50 == 0);
    }
    EQUAL(wrong, 0);
#ifndef __FAST_MATH__
    newer[1] = (float)HUGE_VAL;
    EQUAL(es_is_cut(&cut, newer, older, NULL, NULL, 0.5, 0.6), true);
    EQUAL(es_is_cut(&cut, older, newer, NULL, NULL, 0.5, 0.6), true);
    EQUAL(es_is_cut(&cut, older, older, NULL, NULL, 0.5, 0.6), false);
#endif
}

static void a_clock_that_follows_is_even_and_stays_with_the_song(void) {
    const uint64_t blocks[] = {128, 1024, 4096};
    for (size_t b = 0; b < 3; b++) {
        es_playback song;
        uint64_t last = 0;
        es_playback_init(&song);
        for (uint64_t n = 0; n < 60 * 60; n++) {
            const uint64_t now = n * 1000000000 / 60 + below(1000000), truth = now + now / 5000;
            const uint64_t samples = truth * 48 / 1000000 / blocks[b] * blocks[b];
            const es_report report = {MS(9000) + now, samples * 1000000 / 48};
            es_playback_report(&song, report);
            const uint64_t time = es_playback_begin_frame(&song, MS(9000) + now);
            if (n > 300) {
                const double speed = (double)(time - last) * 60 / 1e9, drawn = (double)es_playback_position(&song) - (double)truth;
                const double judged = (double)es_playback_position_at(&song, MS(9000) + now) - (double)truth;
                NEAR(speed, 1.0, 0.01);
                NEAR(drawn, 0.0, 4e6);
                NEAR(judged, 0.0, 4e6);
            }
            last = time;
        }
        EQUAL(es_playback_is_following(&song), true);
        BETWEEN(es_playback_speed(&song), 0.9992, 1.0012);
        es_playback_pause(&song);
        EQUAL(es_playback_begin_frame(&song, MS(90000)), last);
        EQUAL(es_playback_is_following(&song), false);
    }
}

static void a_loop_that_cuts_its_last_block_is_followed_round_its_points(void) {
    const uint64_t block = 4096, length = 435000000;
    es_playback song;
    uint64_t last = 0, n;
    es_playback_init(&song);
    es_playback_set_loop_points(&song, 0, length);
    for (n = 0; n < 60 * 144; n++) {
        const uint64_t now = n * 1000000000 / 144 + below(300000), truth = now % length;
        const es_report report = {now, truth * 48 / 1000000 / block * block * 1000000 / 48};
        es_playback_report(&song, report);
        const uint64_t time = es_playback_begin_frame(&song, now);
        if (n > 1440) {
            const double off = fabs((double)es_playback_position_at(&song, now) - (double)truth);
            NEAR((double)(time - last) * 144 / 1e9, 1.0, 0.01);
            NEAR(off < (double)length / 2 ? off : (double)length - off, 0.0, 5e6);
        }
        last = time;
    }
}

static void after_many_seeks_that_begin_a_block_the_blocks_are_still_known(void) {
    uint64_t seed, n;
    for (seed = 0; seed < 32; seed++) {
        const uint64_t block = 16666667, phase = seed * block / 32;
        es_playback song;
        uint64_t last = 0, moved = 0;
        es_playback_init(&song);
        for (n = 0; n < 30 * 60; n++) {
            const uint64_t now = n * 1000000000 / 60 + below(300000);
            if (n > 0 && n < 20 * 60 && n % 120 == 0) moved += below(300000000);
            const es_report report = {now, moved + (now + phase) / block * block};
            es_playback_report(&song, report);
            const uint64_t time = es_playback_begin_frame(&song, now);
            if (n > 25 * 60) {
                NEAR((double)(time - last) * 60 / 1e9, 1.0, 0.01);
                NEAR((double)es_playback_position_at(&song, now), (double)(now + phase + moved), 1e9 / 120 + 1e6);
            }
            last = time;
        }
    }
}

static void presses_of_a_pause_reach_no_step_and_others_one_each_by_a_clock_that_follows(void) {
    es_loop loop;
    es_playback song;
    static es_input input;
    uint64_t played = 0, presses = 0, pushed = 0;
    memset(&input, 0, sizeof input);
    EQUAL(es_loop_init(&loop, 120, 1), true);
    es_playback_init(&song);
    loop.playback = &song;
    for (uint64_t n = 0; n < 1200; n++) {
        const uint64_t now = MS(7000) + n * 1000000000 / 60, at = now - below(MS(12)) - MS(4);
        const bool is_pause = n >= 600 && n <= 700;
        if (n == 600) es_playback_pause(&song);
        if (n == 700) es_playback_resume(&song);
        if (!is_pause) played += 1000000000 / 60;
        if (n % 100 == 50) played -= MS(80);
        EQUAL(es_input_press_at(&input, es_playback_time_at(&song, at), 7), true);
        EQUAL(es_input_release_at(&input, es_playback_time_at(&song, at + below(MS(4))), 7), true);
        pushed += n > 0 && !is_pause;
        const es_report report = {now, played / MS(10) * MS(10)};
        es_playback_report(&song, report);
        es_frame frame = es_loop_begin_frame(&loop, now);
        es_input_begin_frame(&input, &loop);
        for (es_step step; es_frame_next(&frame, &step);) {
            es_input_begin_step(&input, &step);
            presses += es_input_presses(&input, 7);
        }
    }
    BETWEEN(presses + input.count / 2, pushed - 2, pushed + 2);
    EQUAL(input.refused, 0);
}

static void emulated_pictures_are_repeated_as_often_as_the_display_demands(void) {
    for (uint64_t hz = 60; hz <= 240; hz *= 2) {
        es_loop loop;
        es_refresh display;
        uint64_t since = 0;
        EQUAL(es_loop_init(&loop, 60000, 1001), true);
        EQUAL(es_refresh_init(&display, 60000, 1001), true);
        loop.refresh = &display;
        for (uint64_t n = 0; n < hz * 200; n++) {
            const uint64_t now = MS(1000) + n * 1000000000 / hz + below(500000);
            const es_frame frame = es_loop_begin_frame(&loop, now);
            since++;
            if (frame.steps == 0) continue;
            if (n >= hz * 10) {
                EQUAL(frame.steps, 1);
                EQUAL(since, hz / 60);
            }
            since = 0;
        }
        EQUAL(es_refresh_is_following(&display), true);
    }
}

static void a_clock_that_follows_accepts_anything(void) {
    es_playback song;
    es_refresh display;
    EQUAL(es_refresh_init(&display, 0, 1), false);
    EQUAL(es_refresh_init(&display, 1, 0), false);
    for (int run = 0; run < 2000; run++) {
        uint64_t last = 0, last_of_display = 0, event = 0;
        es_playback_init(&song);
        EQUAL(es_refresh_init(&display, (uint32_t)(1 + below(UINT32_MAX)) >> below(32) | 1, 1 + (uint32_t)below(9)), true);
        for (int n = 0; n < 100; n++) {
            const uint64_t any = below(UINT64_MAX) >> below(64), other = below(UINT64_MAX) >> below(64);
            if (below(9) == 0) (void)es_playback_set_rate(&song, (uint32_t)any, (uint32_t)other);
            if (below(9) == 0) es_playback_set_loop_points(&song, any, other);
            if (below(9) == 0) es_playback_set_latency(&song, any);
            if (below(20) == 0) es_playback_pause(&song);
            if (below(9) == 0) es_playback_resume(&song);
            const es_report report = {below(2) ? any : last, other};
            es_playback_report(&song, report);
            const uint64_t time = es_playback_begin_frame(&song, any), of_display = es_refresh_begin_frame(&display, any);
            BETWEEN(time, last, UINT64_MAX);
            BETWEEN(of_display, last_of_display, UINT64_MAX);
            BETWEEN(es_playback_time_at(&song, UINT64_MAX), event, UINT64_MAX);
            event = es_playback_time_at(&song, any);
            last = time;
            last_of_display = of_display;
        }
    }
}

static void the_clock_does_not_go_back(void) {
    uint64_t last = es_now();
    int n;
    for (n = 0; n < 1000; n++) {
        const uint64_t now = es_now();
        BETWEEN(now, last, UINT64_MAX);
        last = now;
    }
    while (es_now() == last) continue;
}

/* The code of the book's page, with a mouse that moves by 1000 pixels a second. */
static void what_follows_a_mouse_by_the_reports_around_a_steps_begin_has_its_speed(void) {
    static const unsigned rates[] = {125, 500, 1000, 8000}, displays[] = {60, 72, 90, 120, 144};
    for (unsigned i = 0; i < 4 * 5; i++) {
        const unsigned hz = rates[i % 4], display = displays[i / 4];
        struct { double at, x; } reports[512] = {{0, 0}};
        unsigned count = 1, sent = 1;
        double place = 0;
        es_loop loop;
        es_loop_init(&loop, 60, 1);
        for (uint64_t number = 0; number < 4 * display; number++) {
            const uint64_t now = MS(1000) + number * MS(1000) / display;
            for (; (double)sent * 1e9 / hz <= (double)now; sent++) {
                reports[count % 512].at = (double)sent * 1e9 / hz;
                reports[count++ % 512].x = (double)sent * 1e3 / hz;
            }
            es_frame frame = es_loop_begin_frame(&loop, now);
            for (es_step step; es_frame_next(&frame, &step);) {
                const double ago = (double)(frame.tick - step.tick) + frame.alpha; /* steps since this one began */
                const double at = (double)now - ago * frame.dt * 1e9 - 4e6;
                unsigned newer = count - 1;
                while (newer + 511 > count && newer > 1 && reports[(newer - 1) % 512].at > at) newer--;
                const double before = reports[(newer - 1) % 512].at, after = reports[newer % 512].at;
                const double part = (at - before) / (after - before);
                const double last = place;
                place = es_blend(reports[(newer - 1) % 512].x, reports[newer % 512].x, part);
                if (step.tick < 120) continue;
                BETWEEN((place - last) * 60, 960.0, 1040.0);
                BETWEEN((double)now / 1e6 - place, 0.0, 1000.0 / 60 + 1000.0 / 60 + 5);
            }
        }
    }
}

#ifdef __cplusplus
static void a_frame_is_a_range_of_steps() {
    es_loop loop = unfiltered(100, 1);
    uint64_t next = 0;
    for (es_step step : es_loop_advance(&loop, MS(35))) {
        EQUAL(step.tick, next++);
        EQUAL(step.is_last, next == 3);
    }
    for (es_step step : es_loop_advance(&loop, 0)) EQUAL(step.tick, 99);
    EQUAL(next, 3);
}
#endif

#define TEST(name) (claim = #name, name())

int main(void) {
    TEST(a_loop_without_a_rate_grants_nothing_and_refuses_what_it_cannot_do);
    TEST(what_a_policy_promises_to_keep_is_kept);
    TEST(steps_that_are_given_back_follow_the_policy);
    TEST(a_pause_takes_its_time_and_single_steps_run_in_it);
    TEST(a_pause_begins_with_the_next_frame_wherever_it_is_called);
    TEST(any_delta_is_accepted);
    TEST(a_machine_that_is_too_slow_goes_on_drawing);
    TEST(a_controller_that_was_stopped_runs_one_tick_keeps_its_grid_and_knows_what_it_lost);
    TEST(a_step_that_is_given_back_has_its_input_when_it_comes_again);
    TEST(without_room_what_is_held_in_the_end_is_kept);
    TEST(the_rooms_and_the_longest_delta_are_those_of_the_documentation);
    TEST(a_window_that_loses_the_focus_leaves_no_key_held_whatever_waits);
    TEST(repetitions_count_for_nothing_and_a_late_event_acts_in_the_next_step);
    TEST(an_event_without_a_time_and_one_of_long_ago_act_in_the_next_step_by_any_clock);
    TEST(a_time_of_a_clock_that_is_ahead_is_counted_and_a_long_frame_is_none);
    TEST(a_key_with_the_time_of_sdl_acts_in_the_step_of_its_time);
    TEST(rows_of_any_layout_and_alignment_are_blended_and_nothing_else_is_written);
#ifndef __FAST_MATH__
#if FLT_EVAL_METHOD == 0
    TEST(parts_of_the_rows_have_the_bits_of_one_call);
#endif
    TEST(nan_stays_in_its_row_and_a_state_that_rests_keeps_its_bits);
#endif
    TEST(angles_go_the_shorter_way);
    TEST(what_is_spawned_moving_is_drawn_on_its_way);
    TEST(rotations_are_within_a_millionth_of_slerp_at_all_angles);
    TEST(matrices_turn_without_shear_and_keep_their_hand);
    TEST(matrices_of_the_plane_and_those_without_a_rotation);
    TEST(a_cut_is_told_from_a_motion);
    TEST(a_clock_that_follows_is_even_and_stays_with_the_song);
    TEST(a_loop_that_cuts_its_last_block_is_followed_round_its_points);
    TEST(after_many_seeks_that_begin_a_block_the_blocks_are_still_known);
    TEST(presses_of_a_pause_reach_no_step_and_others_one_each_by_a_clock_that_follows);
    TEST(emulated_pictures_are_repeated_as_often_as_the_display_demands);
    TEST(a_clock_that_follows_accepts_anything);
    TEST(the_clock_does_not_go_back);
    TEST(what_follows_a_mouse_by_the_reports_around_a_steps_begin_has_its_speed);
#ifdef __cplusplus
    TEST(a_frame_is_a_range_of_steps);
#endif
    printf("%d claims failed\n", failures);
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
