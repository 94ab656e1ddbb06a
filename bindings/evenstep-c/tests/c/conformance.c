/* Runs the conformance script, standard input, and fails where an answer differs by a digit. */
#include <evenstep.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef es_status (*ask)(es_timestep, es_exact *);

static void write_hex(char *end, uint64_t high, uint64_t low) {
    if (high != 0) {
        sprintf(end, "%" PRIx64 "%016" PRIx64, high, low);
    } else {
        sprintf(end, "%" PRIx64, low);
    }
}

static void write_exact(char *text, es_timestep timestep, ask time_of) {
    es_exact time;
    if (time_of(timestep, &time) != ES_STATUS_OK) {
        strcat(text, " none");
        return;
    }
    sprintf(text + strlen(text), " %" PRIu64 "+", time.seconds);
    write_hex(text + strlen(text), time.numer_high, time.numer_low);
    strcat(text, "/");
    write_hex(text + strlen(text), time.denom_high, time.denom_low);
}

static void write_answer(char *text, es_timestep timestep, const es_frame *frame) {
    uint64_t alpha;
    memcpy(&alpha, &frame->alpha, sizeof alpha);
    sprintf(text, "= %" PRIu64 " %" PRIu64 " %" PRIu32 " %" PRIx64 " %" PRId64 " %" PRId64 " %" PRIu64 " %d", frame->first_tick,
            frame->tick, frame->single_steps, alpha, frame->clamped, frame->suspended, frame->dropped, frame->is_behind ? 1 : 0);
    write_exact(text, timestep, es_timestep_overstep);
    write_exact(text, timestep, es_timestep_drawn_time);
    write_exact(text, timestep, es_timestep_rounded);
}

static es_status call_timestep(const char *name, const int64_t *numbers, es_timestep *timestep, es_frame *frame) {
    const int64_t first = numbers[0];
    const uint32_t a = (uint32_t)numbers[0], b = (uint32_t)numbers[1];
    if (strcmp(name, "frame") == 0) return es_timestep_begin_frame(*timestep, first, frame);
    if (strcmp(name, "filter") == 0) {
        es_filter filter;
        filter.kind = a;
        filter.rate_numer = b;
        filter.rate_denom = (uint32_t)numbers[2];
        filter.window = (uint32_t)numbers[3];
        filter.max_delta = numbers[4];
        return es_timestep_add_filter(*timestep, &filter);
    }
    if (strcmp(name, "give_back") == 0) return es_timestep_give_back(*timestep, a, frame);
    if (strcmp(name, "lookahead") == 0) return es_timestep_set_lookahead(*timestep);
    if (strcmp(name, "max_delta") == 0) return es_timestep_set_max_delta(*timestep, first);
    if (strcmp(name, "max_steps") == 0) return es_timestep_set_max_steps(*timestep, a);
    if (strcmp(name, "unset_max_steps") == 0) return es_timestep_unset_max_steps(*timestep);
    if (strcmp(name, "drop") == 0) return es_timestep_set_overrun_drop(*timestep);
    if (strcmp(name, "carry") == 0) return es_timestep_set_overrun_carry(*timestep, first);
    if (strcmp(name, "stretch") == 0) return es_timestep_set_overrun_stretch(*timestep, a, b);
    if (strcmp(name, "scale") == 0) return es_timestep_set_time_scale(*timestep, a, b);
    if (strcmp(name, "step_once") == 0) return es_timestep_step_once(*timestep);
    if (strcmp(name, "suspend") == 0) return es_timestep_suspend(*timestep);
    if (strcmp(name, "resume") == 0) return es_timestep_resume(*timestep);
    if (strcmp(name, "resync") == 0) return es_timestep_resync(*timestep);
    if (strcmp(name, "reset") == 0) return es_timestep_reset(*timestep);
    if (strcmp(name, "timestep") != 0) return ES_STATUS_MISSING;
    if (timestep->id != 0) {
        const es_status status = es_timestep_destroy(*timestep);
        if (status != ES_STATUS_OK) return status;
    }
    return es_timestep_create(a, b, timestep);
}

static es_status play(es_timestep timestep, es_input input, int64_t now, char *answer) {
    es_frame frame;
    es_input_counted counts;
    es_status status = es_timestep_begin_frame(timestep, now, &frame);
    if (status != ES_STATUS_OK) return status;
    status = es_input_begin_frame(input, timestep);
    if (status != ES_STATUS_OK) return status;
    status = es_input_counts(input, &counts);
    if (status != ES_STATUS_OK) return status;
    sprintf(answer, "= %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64, counts.waiting, counts.late, counts.reordered,
            counts.refused, counts.paused);
    for (uint64_t tick = frame.first_tick; tick < frame.tick; tick++) {
        double by[4];
        status = es_input_begin_step(input, tick);
        if (status != ES_STATUS_OK) return status;
        sprintf(answer + strlen(answer), " %" PRIu64, tick);
        for (uint32_t key = 1; key <= 3; key++) {
            bool held, down, released;
            uint32_t presses;
            if (es_input_is_held(input, key, &held) != ES_STATUS_OK) return ES_STATUS_FAULT;
            if (es_input_is_down(input, key, &down) != ES_STATUS_OK) return ES_STATUS_FAULT;
            if (es_input_was_released(input, key, &released) != ES_STATUS_OK) return ES_STATUS_FAULT;
            if (es_input_presses(input, key, &presses) != ES_STATUS_OK) return ES_STATUS_FAULT;
            sprintf(answer + strlen(answer), " %" PRIu32, 10 * presses + (held ? 1u : 0u) + (down ? 2u : 0u) + (released ? 4u : 0u));
        }
        if (es_input_moved(input, &by[0], &by[1]) != ES_STATUS_OK) return ES_STATUS_FAULT;
        if (es_input_turned(input, &by[2], &by[3]) != ES_STATUS_OK) return ES_STATUS_FAULT;
        sprintf(answer + strlen(answer), " %.0f %.0f %.0f %.0f", by[0], by[1], by[2], by[3]);
    }
    return ES_STATUS_OK;
}

static es_status call_input(const char *name, const int64_t *numbers, es_timestep *timestep, es_input *input, char *answer) {
    const uint32_t a = (uint32_t)numbers[0], b = (uint32_t)numbers[1];
    if (strcmp(name, "play") == 0) return play(*timestep, *input, numbers[0], answer);
    if (strcmp(name, "press") == 0) return es_input_press(*input, a, numbers[1]);
    if (strcmp(name, "release") == 0) return es_input_release(*input, a, numbers[1]);
    if (strcmp(name, "release_all") == 0) return es_input_release_all(*input, numbers[0]);
    if (strcmp(name, "motion") == 0) return es_input_motion(*input, (double)numbers[0], (double)numbers[1], numbers[2]);
    if (strcmp(name, "wheel") == 0) return es_input_wheel(*input, (double)numbers[0], (double)numbers[1], numbers[2]);
    if (strcmp(name, "input_suspend") == 0) return es_timestep_suspend(*timestep);
    if (strcmp(name, "input_resume") == 0) return es_timestep_resume(*timestep);
    if (strcmp(name, "input_step_once") == 0) return es_timestep_step_once(*timestep);
    if (strcmp(name, "input_reset") == 0) return es_timestep_reset(*timestep);
    if (strcmp(name, "input_scale") == 0) return es_timestep_set_time_scale(*timestep, a, b);
    if (strcmp(name, "input") != 0) return ES_STATUS_MISSING;
    if (input->id != 0) {
        es_status status = es_timestep_destroy(*timestep);
        if (status == ES_STATUS_OK) status = es_input_destroy(*input);
        if (status != ES_STATUS_OK) return status;
    }
    if (es_timestep_create(a, 1, timestep) != ES_STATUS_OK) return ES_STATUS_FAULT;
    if (numbers[3] > 0) {
        es_filter filter = {0};
        filter.kind = ES_FILTER_AVERAGE;
        filter.window = (uint32_t)numbers[3];
        if (es_timestep_add_filter(*timestep, &filter) != ES_STATUS_OK) return ES_STATUS_FAULT;
    }
    return numbers[2] == 1 ? es_input_create_lossless(b, input) : es_input_create(b, input);
}

static double number_of(int64_t bits) {
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static es_status call_smoothed(const char *name, const int64_t *numbers, es_smoothed *smoothed, char *answer) {
    const double first = number_of(numbers[0]);
    if (strcmp(name, "smoothed") == 0) return es_smoothed_init(first, number_of(numbers[1]), smoothed);
    if (strcmp(name, "smoothed_step") == 0) {
        const es_status status = es_smoothed_begin_step(smoothed);
        smoothed->current = first;
        return status;
    }
    if (strcmp(name, "smoothed_teleport") == 0) return es_smoothed_teleport(smoothed);
    if (strcmp(name, "smoothed_shift") == 0) return es_smoothed_shift(smoothed, first);
    if (strcmp(name, "smoothed_at") == 0) {
        const double drawn = es_smoothed_at(*smoothed, first);
        uint64_t bits;
        memcpy(&bits, &drawn, sizeof bits);
        sprintf(answer, "= %" PRIx64 " %" PRIu32, bits, smoothed->teleported);
        return ES_STATUS_OK;
    }
    return ES_STATUS_MISSING;
}

int main(void) {
    char line[1024], answer[1024] = "", name[64];
    es_timestep timestep = {0};
    es_frame frame = {0};
    es_timestep clock = {0}; /* of the input */
    es_input input = {0};
    es_smoothed smoothed = {0};
    int number = 0, answers = 0;
    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\r\n")] = '\0';
        number++;
        if (line[0] == '=') {
            answers++;
            if (strcmp(line, answer) != 0) {
                fprintf(stderr, "line %d: expected\n%s\nbut got\n%s\n", number, line, answer);
                return EXIT_FAILURE;
            }
        } else if (line[0] != '#') {
            int64_t numbers[5] = {0, 0, 0, 0, 0};
            const int words = sscanf(line, "%63s %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64, name, &numbers[0],
                                     &numbers[1], &numbers[2], &numbers[3], &numbers[4]);
            es_status status = ES_STATUS_MISSING;
            if (words > 0) status = call_timestep(name, numbers, &timestep, &frame);
            if (status == ES_STATUS_OK) {
                write_answer(answer, timestep, &frame);
            } else if (status == ES_STATUS_MISSING) {
                status = call_input(name, numbers, &clock, &input, answer);
                if (status == ES_STATUS_MISSING) status = call_smoothed(name, numbers, &smoothed, answer);
            }
            if (status != ES_STATUS_OK) {
                fprintf(stderr, "line %d: %s\n", number, es_status_text(status));
                return EXIT_FAILURE;
            }
        }
    }
    es_timestep_destroy(timestep);
    es_timestep_destroy(clock);
    es_input_destroy(input);
    printf("%d answers are those of the script\n", answers);
    return answers > 1300 ? EXIT_SUCCESS : EXIT_FAILURE;
}
