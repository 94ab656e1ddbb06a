/* The loop: a ball moves at 2 m/s in 60 steps a second and is drawn at 144 Hz. Prints how far the drawn ball moves from frame to
 * frame, with smoothing and without. */
#include <evenstep.h>
#include <stdio.h>
#include <stdlib.h>

static void check(es_status status) {
    if (status < 0) {
        fprintf(stderr, "evenstep: %s\n", es_status_text(status));
        exit(EXIT_FAILURE);
    }
}

/* The smallest and the largest motion from frame to frame. */
typedef struct range {
    float least;
    float most;
} range;

static void widen(range *range, float by) {
    if (by < range->least) range->least = by;
    if (by > range->most) range->most = by;
}

int main(void) {
    es_timestep timestep;
    es_poses poses;
    check(es_timestep_create(60, 1, &timestep));
    check(es_poses_create(2, &poses));

    float ball[4] = {0.0F, 0.0F, 1.0F, 0.0F}; /* x, y, cosine and sine */
    float drawn[4] = {0.0F, 0.0F, 1.0F, 0.0F};
    size_t row;
    check(es_poses_add(poses, ball, 4, &row));

    range smoothed = {1.0F, 0.0F}, raw = {1.0F, 0.0F};
    es_frame frame = {0};
    for (int64_t picture = 0; picture < 1440; picture++) {
        float last_drawn = drawn[0], last_raw = ball[0];
        check(es_timestep_begin_frame(timestep, picture * 1000000000 / 144, &frame));
        for (uint64_t tick = frame.first_tick; tick != frame.tick; tick++) {
            ball[0] += 2.0F * (float)frame.dt;
            check(es_poses_commit(poses, ball, 4));
        }
        check(es_poses_draw(poses, frame.alpha, drawn, 4));
        if (frame.tick > 2) {
            widen(&smoothed, drawn[0] - last_drawn);
            widen(&raw, ball[0] - last_raw);
        }
    }
    printf("%llu steps; a picture moves %.4f to %.4f m smoothed, %.4f to %.4f m raw\n", (unsigned long long)frame.tick,
           smoothed.least, smoothed.most, raw.least, raw.most);

    check(es_poses_destroy(poses));
    check(es_timestep_destroy(timestep));
    return frame.tick == 599 && smoothed.most - smoothed.least < 0.0001F ? EXIT_SUCCESS : EXIT_FAILURE;
}
