/* What a frame of the loop costs beside an accumulator by hand: medians of nanoseconds and of ratios.
 *
 *     cc -O2 bindings/c/benches/frame.c -o frame -lm && ./frame */
#include <stdio.h>
#include <stdlib.h>

#include "../evenstep.h"

enum { FRAMES = 1000000, ROUNDS = 11 };

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

static void run_loop(bool is_filtered) {
    es_loop loop;
    double alpha = 0.0;
    uint64_t now = 1;
    int number;
    es_loop_init(&loop, 60, 1);
    loop.is_filtered = is_filtered;
    for (number = 0; number < FRAMES; number++) {
        es_frame frame;
        now += 6944444 + ((uint64_t)number & 15) * 1000;
        frame = es_loop_begin_frame(&loop, now);
        for (es_step step; es_frame_next(&frame, &step);) alpha += step.dt;
        alpha += frame.alpha;
    }
    sink = alpha;
}

static void unfiltered(void) { run_loop(false); }
static void filtered(void) { run_loop(true); }

/* All ways in turns, so that other work on the machine disturbs them alike. */
static const struct way {
    const char *name;
    void (*run)(void);
} WAYS[] = {
    {"accumulator by hand, in floats", by_hand},
    {"es_loop_begin_frame without the filter", unfiltered},
    {"es_loop_begin_frame", filtered},
};
enum { COUNT = sizeof WAYS / sizeof *WAYS };

static double times[COUNT][ROUNDS], ratios[COUNT][ROUNDS];

static int compare(const void *one, const void *other) {
    const double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

int main(void) {
    int round, way;
    for (round = 0; round < ROUNDS; round++) {
        for (way = 0; way < COUNT; way++) {
            const uint64_t begin = es_now();
            WAYS[way].run();
            times[way][round] = (double)(es_now() - begin) / FRAMES;
            ratios[way][round] = times[way][round] / times[0][round];
        }
    }
    printf("C: one frame of 144 Hz, steps at 60 Hz\n");
    for (way = 0; way < COUNT; way++) {
        qsort(times[way], ROUNDS, sizeof times[way][0], compare);
        qsort(ratios[way], ROUNDS, sizeof ratios[way][0], compare);
        printf("  %-38s %9.2f ns  %6.2f x\n", WAYS[way].name, times[way][ROUNDS / 2], ratios[way][ROUNDS / 2]);
    }
    return EXIT_SUCCESS;
}
