/* Calls every function with invalid arguments: each call must return its error, and valid objects must continue to work. */
#include <evenstep.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int calls = 0;

#define EXPECT(status, call)                                                                                                   \
    do {                                                                                                                       \
        const es_status got = (call);                                                                                          \
        calls++;                                                                                                               \
        if (got != (status)) {                                                                                                 \
            fprintf(stderr, "%s:%d: %s returned: %s\n", __FILE__, __LINE__, #call, es_status_text(got));                       \
            exit(EXIT_FAILURE);                                                                                                \
        }                                                                                                                      \
    } while (0)

static void objects(void) {
    es_timestep timestep = {0}, gone, kept;
    es_poses poses;
    es_frame frame;
    EXPECT(ES_STATUS_NULL, es_timestep_create(60, 1, NULL));
    EXPECT(ES_STATUS_RATIO, es_timestep_create(0, 1, &timestep));
    EXPECT(ES_STATUS_RATIO, es_timestep_create(1, 0, &timestep));
    EXPECT(ES_STATUS_OBJECT, es_timestep_advance(timestep, 1, &frame));
    EXPECT(ES_STATUS_OK, es_timestep_create(60, 1, &gone));
    EXPECT(ES_STATUS_OK, es_timestep_destroy(gone));
    EXPECT(ES_STATUS_OBJECT, es_timestep_destroy(gone));
    EXPECT(ES_STATUS_OBJECT, es_timestep_advance(gone, 1, &frame));
    EXPECT(ES_STATUS_OK, es_timestep_create(60, 1, &kept)); /* in the same place */
    EXPECT(ES_STATUS_OBJECT, es_timestep_advance(gone, 1, &frame));
    EXPECT(ES_STATUS_OK, es_poses_create(2, &poses));
    timestep.id = poses.id;
    EXPECT(ES_STATUS_OBJECT, es_timestep_advance(timestep, 1, &frame));
    EXPECT(ES_STATUS_OBJECT, es_timestep_destroy(timestep));
    srand(1);
    for (int i = 0; i < 100000; i++) {
        timestep.id = (uint64_t)rand() << 42 ^ (uint64_t)rand() << 21 ^ (uint64_t)rand();
        if (timestep.id != kept.id) EXPECT(ES_STATUS_OBJECT, es_timestep_advance(timestep, 1, &frame));
    }
    EXPECT(ES_STATUS_OK, es_poses_destroy(poses));
    EXPECT(ES_STATUS_OK, es_timestep_destroy(kept));
}

static void time_and_order(void) {
    es_timestep timestep;
    es_frame frame, before;
    es_exact time;
    int64_t nanoseconds;
    bool suspended;
    es_filter filter = {0};
    EXPECT(ES_STATUS_OK, es_timestep_create(100, 1, &timestep));
    EXPECT(ES_STATUS_ORDER, es_timestep_give_back(timestep, 0, &frame));
    EXPECT(ES_STATUS_ORDER, es_timestep_drawn_time(timestep, &time));
    EXPECT(ES_STATUS_NULL, es_timestep_add_filter(timestep, NULL));
    EXPECT(ES_STATUS_RANGE, es_timestep_add_filter(timestep, &filter));
    EXPECT(ES_STATUS_NULL, es_timestep_begin_frame(timestep, 0, NULL));
    EXPECT(ES_STATUS_NEGATIVE, es_timestep_begin_frame(timestep, -1, &frame));
    EXPECT(ES_STATUS_OK, es_timestep_begin_frame(timestep, 5000000000, &frame));
    EXPECT(ES_STATUS_OK, es_timestep_begin_frame(timestep, 5015000000, &frame));
    before = frame;
    EXPECT(ES_STATUS_TIME_WENT_BACK, es_timestep_begin_frame(timestep, 4014999999, &frame));
    EXPECT(ES_STATUS_NEGATIVE, es_timestep_advance(timestep, INT64_MIN, &frame));
    EXPECT(ES_STATUS_RANGE, es_timestep_advance(timestep, INT64_MAX, &frame));
    EXPECT(ES_STATUS_RANGE, es_timestep_give_back(timestep, 2, &frame));
    EXPECT(ES_STATUS_RATIO, es_timestep_set_time_scale(timestep, 1, 0));
    EXPECT(ES_STATUS_NEGATIVE, es_timestep_set_max_delta(timestep, -1));
    EXPECT(ES_STATUS_NEGATIVE, es_timestep_set_overrun_carry(timestep, -1));
    EXPECT(ES_STATUS_RATIO, es_timestep_set_overrun_stretch(timestep, 1, 0));
    EXPECT(ES_STATUS_ORDER, es_timestep_set_lookahead(timestep));
    filter.kind = ES_FILTER_DISPLAY_CLOCK;
    EXPECT(ES_STATUS_ORDER, es_timestep_add_filter(timestep, &filter));
    EXPECT(ES_STATUS_NULL, es_timestep_is_suspended(timestep, NULL));
    EXPECT(ES_STATUS_OK, es_timestep_is_suspended(timestep, &suspended));
    if (suspended || before.tick != frame.tick || before.alpha != frame.alpha) exit(EXIT_FAILURE); /* no error has written */
    EXPECT(ES_STATUS_OK, es_timestep_begin_frame(timestep, 5020000000, &frame));
    if (frame.first_tick != 1 || frame.tick != 2) exit(EXIT_FAILURE); /* nothing was lost */
    EXPECT(ES_STATUS_NOT_FINITE, es_nanoseconds((double)NAN, &nanoseconds));
    EXPECT(ES_STATUS_NOT_FINITE, es_nanoseconds((double)INFINITY, &nanoseconds));
    EXPECT(ES_STATUS_NEGATIVE, es_nanoseconds(-1.0, &nanoseconds));
    EXPECT(ES_STATUS_RANGE, es_nanoseconds(1e10, &nanoseconds));
    EXPECT(ES_STATUS_OK, es_nanoseconds(1.5, &nanoseconds));
    EXPECT(ES_STATUS_OK, es_timestep_suspend(timestep));
    EXPECT(ES_STATUS_NONE, es_timestep_until_next_step(timestep, &nanoseconds));
    EXPECT(ES_STATUS_OK, es_timestep_destroy(timestep));
}

static void arrays(void) {
    es_poses poses;
    size_t row;
    float state[4] = {1.0F, 2.0F, 1.0F, 0.0F}, drawn[6];
    const float wrong[4] = {NAN, 0.0F, 1.0F, 0.0F};
    EXPECT(ES_STATUS_RANGE, es_poses_create(4, &poses));
    EXPECT(ES_STATUS_OK, es_poses_create(2, &poses));
    EXPECT(ES_STATUS_NULL, es_poses_add(poses, NULL, 4, &row));
    EXPECT(ES_STATUS_NULL, es_poses_add(poses, state, 4, NULL));
    EXPECT(ES_STATUS_SIZE, es_poses_add(poses, state, 3, &row));
    EXPECT(ES_STATUS_SIZE, es_poses_add(poses, state, SIZE_MAX, &row));
    EXPECT(ES_STATUS_NOT_FINITE, es_poses_add(poses, wrong, 4, &row));
    EXPECT(ES_STATUS_OK, es_poses_add(poses, state, 4, &row));
    EXPECT(ES_STATUS_SIZE, es_poses_commit(poses, state, 3));
    EXPECT(ES_STATUS_NOT_FINITE, es_poses_commit(poses, wrong, 4));
    EXPECT(ES_STATUS_MISSING, es_poses_teleport(poses, 1));
    EXPECT(ES_STATUS_MISSING, es_poses_set(poses, 1, state, 4));
    EXPECT(ES_STATUS_SIZE, es_poses_shift(poses, 0, state, 1));
    EXPECT(ES_STATUS_SIZE, es_poses_draw(poses, 0.5, drawn, 3));
    EXPECT(ES_STATUS_NOT_FINITE, es_poses_draw(poses, (double)NAN, drawn, 4));
    EXPECT(ES_STATUS_SIZE, es_poses_draw_matrices(poses, 0.5, drawn, 5));
    EXPECT(ES_STATUS_OK, es_poses_draw(poses, 0.5, drawn, 4));
    if (memcmp(state, drawn, sizeof state) != 0) exit(EXIT_FAILURE); /* it rests where it was */
    EXPECT(ES_STATUS_MISSING, es_poses_remove(poses, 1));
    EXPECT(ES_STATUS_OK, es_poses_remove(poses, 0));
    EXPECT(ES_STATUS_OK, es_poses_draw(poses, 0.5, drawn, 0));
    EXPECT(ES_STATUS_OK, es_poses_destroy(poses));
}

static void queues(void) {
    es_timestep timestep;
    es_input input;
    es_events events;
    es_stats stats;
    es_schedule schedule;
    es_event event;
    es_frame frame;
    es_task_step step;
    uint64_t tick, number;
    uint32_t task;
    EXPECT(ES_STATUS_OK, es_timestep_create(100, 1, &timestep));
    EXPECT(ES_STATUS_RANGE, es_input_create(0, &input));
    EXPECT(ES_STATUS_RANGE, es_input_create_lossless(0, &input));
    EXPECT(ES_STATUS_OK, es_input_create_lossless(1, &input));
    EXPECT(ES_STATUS_OK, es_events_create(1, 0, &events));
    EXPECT(ES_STATUS_OK, es_stats_create(&stats));
    EXPECT(ES_STATUS_OK, es_schedule_create(&schedule));
    EXPECT(ES_STATUS_ORDER, es_input_begin_frame(input, timestep));
    EXPECT(ES_STATUS_ORDER, es_input_begin_step(input, 0));
    EXPECT(ES_STATUS_ORDER, es_stats_record(stats, timestep));
    EXPECT(ES_STATUS_ORDER, es_events_next(events, timestep, ES_SEEN_BLENDED, &tick, &number));
    EXPECT(ES_STATUS_OK, es_input_press(input, 1, 5));
    EXPECT(ES_STATUS_FULL, es_input_release_all(input, 6));
    EXPECT(ES_STATUS_NOT_FINITE, es_input_motion(input, (double)NAN, 0.0, 6));
    EXPECT(ES_STATUS_OK, es_timestep_begin_frame(timestep, 10, &frame));
    EXPECT(ES_STATUS_OK, es_input_begin_frame(input, timestep));
    EXPECT(ES_STATUS_ORDER, es_input_begin_frame(input, timestep));
    EXPECT(ES_STATUS_OK, es_input_begin_step(input, 0));
    EXPECT(ES_STATUS_NULL, es_input_event_at(input, 0, NULL));
    EXPECT(ES_STATUS_OK, es_input_event_at(input, 0, &event));
    EXPECT(ES_STATUS_NONE, es_input_event_at(input, 1, &event));
    EXPECT(ES_STATUS_OK, es_events_emit(events, timestep, 0, 7));
    EXPECT(ES_STATUS_FULL, es_events_emit(events, timestep, 0, 8));
    EXPECT(ES_STATUS_RANGE, es_events_next(events, timestep, 3, &tick, &number));
    EXPECT(ES_STATUS_NULL, es_events_next(events, timestep, 0, NULL, &number));
    EXPECT(ES_STATUS_NONE, es_schedule_next_step(schedule, &step));
    EXPECT(ES_STATUS_ORDER, es_schedule_refuse(schedule));
    EXPECT(ES_STATUS_RATIO, es_schedule_add(schedule, 0, 1, 0, &task));
    EXPECT(ES_STATUS_NEGATIVE, es_schedule_add(schedule, 1, 1, -1, &task));
    EXPECT(ES_STATUS_MISSING, es_input_begin_task(input, schedule, 0));
    EXPECT(ES_STATUS_OK, es_schedule_destroy(schedule));
    EXPECT(ES_STATUS_OK, es_stats_destroy(stats));
    EXPECT(ES_STATUS_OK, es_events_destroy(events));
    EXPECT(ES_STATUS_OK, es_input_destroy(input));
    EXPECT(ES_STATUS_OK, es_timestep_destroy(timestep));
}

static void *elsewhere(void *timestep) {
    es_frame frame;
    es_timestep *shared = timestep;
    EXPECT(ES_STATUS_THREAD, es_timestep_advance(*shared, 1, &frame));
    EXPECT(ES_STATUS_THREAD, es_timestep_destroy(*shared));
    EXPECT(ES_STATUS_THREAD, es_take_over(shared->id));
    return NULL;
}

static void *new_owner(void *timestep) {
    es_frame frame;
    es_timestep *shared = timestep;
    EXPECT(ES_STATUS_OK, es_take_over(shared->id));
    EXPECT(ES_STATUS_OK, es_timestep_advance(*shared, 1, &frame));
    return NULL;
}

static void threads(void) {
    es_timestep timestep;
    es_frame frame;
    pthread_t thread;
    EXPECT(ES_STATUS_OK, es_timestep_create(100, 1, &timestep));
    if (pthread_create(&thread, NULL, elsewhere, &timestep) != 0 || pthread_join(thread, NULL) != 0) exit(EXIT_FAILURE);
    EXPECT(ES_STATUS_OK, es_timestep_advance(timestep, 1, &frame));
    EXPECT(ES_STATUS_OK, es_hand_over(timestep.id));
    EXPECT(ES_STATUS_THREAD, es_timestep_advance(timestep, 1, &frame));
    if (pthread_create(&thread, NULL, new_owner, &timestep) != 0 || pthread_join(thread, NULL) != 0) exit(EXIT_FAILURE);
    EXPECT(ES_STATUS_THREAD, es_timestep_advance(timestep, 1, &frame));
}

int main(void) {
    objects();
    time_and_order();
    arrays();
    queues();
    threads();
    if (strcmp(es_version(), EVENSTEP_VERSION) != 0) return EXIT_FAILURE;
    printf("%d wrong calls returned their errors\n", calls);
    return EXIT_SUCCESS;
}
