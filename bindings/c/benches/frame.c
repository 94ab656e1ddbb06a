/* What a frame of the loop costs beside an accumulator by hand, and a body that is blended. Nanoseconds, the best of ten runs.
 *
 *     cc -O2 bindings/c/benches/frame.c -o frame -lm && ./frame */
#include <stdio.h>
#include <stdlib.h>

#include "../evenstep.h"

enum { FRAMES = 1000000, BODIES = 10000, RUNS = 10 };

static volatile double sink;

static void by_hand(void) {
    float accumulator = 0.0f, alpha = 0.0f;
    int frame, steps = 0;
    for (frame = 0; frame < FRAMES; frame++) {
        accumulator += 0.0069444f + (float)(frame & 15) * 1e-6f;
        while (accumulator >= 1.0f / 60.0f) {
            accumulator -= 1.0f / 60.0f;
            steps++;
        }
        alpha += accumulator * 60.0f;
    }
    sink = (double)alpha + steps;
}

static void run_loop(bool is_filtered, uint32_t numer, uint32_t denom) {
    es_loop loop;
    double alpha = 0.0;
    uint64_t now = 1;
    int number;
    es_loop_init(&loop, 60, 1);
    loop.is_filtered = is_filtered;
    es_loop_set_time_scale(&loop, numer, denom);
    for (number = 0; number < FRAMES; number++) {
        es_frame frame;
        now += 6944444 + ((uint64_t)number & 15) * 1000;
        frame = es_loop_begin_frame(&loop, now);
        for (es_step step; es_frame_next(&frame, &step);) alpha += step.dt;
        alpha += frame.alpha;
    }
    sink = alpha;
}

static void unfiltered(void) { run_loop(false, 1, 1); }
static void filtered(void) { run_loop(true, 1, 1); }
static void in_slow_motion(void) { run_loop(true, 1, 10); }

static float older[BODIES][16], newer[BODIES][16], drawn[BODIES][16];
static const es_rows ROWS = {BODIES, sizeof *older, sizeof *drawn};

static void positions(void) { es_blend_floats(ROWS, drawn, older, newer, 3, 0.3); }
static void rotations(void) { es_blend_rot2s(ROWS, drawn, older, newer, 0.3); }
static void quaternions(void) { es_blend_quats(ROWS, drawn, older, newer, 0.3); }
static void matrices(void) { es_blend_matrices(ROWS, drawn, older, newer, ES_MATRIX_4X4_COLUMNS, 0.3); }

/* Runs and prints; states are turned about z by the same angle before. */
static void measure(const char *name, void (*run)(void), int count) {
    double best = 1e30;
    int at;
    for (at = 0; at < RUNS; at++) {
        const uint64_t begin = es_now();
        double passed;
        run();
        passed = (double)(es_now() - begin) / count;
        if (passed < best) best = passed;
    }
    printf("%-44s %7.1f ns\n", name, best);
}

static void turn_all(bool are_matrices, int cos_at, int sin_at, float angle) {
    int body;
    memset(older, 0, sizeof older);
    memset(newer, 0, sizeof newer);
    for (body = 0; body < BODIES; body++) {
        const float way = angle * (0.5f + (float)(body % 100) / 100.0f);
        older[body][cos_at] = 1.0f;
        newer[body][cos_at] = cosf(way);
        newer[body][sin_at] = sinf(way);
        if (!are_matrices) continue;
        older[body][5] = older[body][10] = older[body][15] = newer[body][10] = newer[body][15] = 1.0f;
        newer[body][4] = -sinf(way);
        newer[body][5] = cosf(way);
    }
}

int main(void) {
    measure("accumulator by hand, in floats", by_hand, FRAMES);
    measure("es_loop_begin_frame without the filter", unfiltered, FRAMES);
    measure("es_loop_begin_frame", filtered, FRAMES);
    measure("es_loop_begin_frame at 1/10 speed", in_slow_motion, FRAMES);
    turn_all(false, 0, 1, 0.05f);
    measure("a body: three floats", positions, BODIES);
    measure("a body: rotation in the plane, 3 degrees", rotations, BODIES);
    turn_all(false, 0, 1, 1.0f);
    measure("a body: rotation in the plane, 57 degrees", rotations, BODIES);
    turn_all(false, 3, 2, 0.05f);
    measure("a body: quaternion, 6 degrees", quaternions, BODIES);
    turn_all(false, 3, 2, 1.0f);
    measure("a body: quaternion, 115 degrees", quaternions, BODIES);
    turn_all(true, 0, 1, 0.05f);
    measure("a body: matrix, 3 degrees", matrices, BODIES);
    return EXIT_SUCCESS;
}
