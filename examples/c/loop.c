/* The loop: a ball moves at 2 m/s in 60 steps a second and is drawn at 144 Hz. Prints how far the drawn ball moves from frame to
 * frame, with blending and without.
 *
 *     cc examples/c/loop.c -o loop && ./loop */
#include "../../bindings/c/evenstep.h"

#include <stdio.h>
#include <stdlib.h>

/* The smallest and the largest motion from frame to frame. */
typedef struct range {
    double least, most;
} range;

static void widen(range *range, double by) {
    if (by < range->least) range->least = by;
    if (by > range->most) range->most = by;
}

int main(void) {
    es_loop loop;
    double before = 0.0, x = 0.0, drawn = 0.0;
    range smooth = {1.0, 0.0}, raw = {1.0, 0.0};
    es_loop_init(&loop, 60, 1);
    for (uint64_t picture = 0; picture < 1440; picture++) {
        const double last_drawn = drawn, last_raw = x;
        es_frame frame = es_loop_begin_frame(&loop, picture * 1000000000 / 144); /* in a game: es_now() */
        for (es_step step; es_frame_next(&frame, &step);) {
            before = x;
            x += 2.0 * step.dt;
        }
        drawn = es_blend(before, x, frame.alpha);
        if (picture > 144) {
            widen(&smooth, drawn - last_drawn);
            widen(&raw, x - last_raw);
        }
    }
    printf("%d steps; a frame moves %.4f to %.4f m blended, %.4f to %.4f m without\n", (int)loop.tick, smooth.least, smooth.most, raw.least,
           raw.most);
    return loop.tick >= 598 && smooth.most - smooth.least < 0.0001 ? EXIT_SUCCESS : EXIT_FAILURE;
}
