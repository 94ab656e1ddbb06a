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

static es_status plan_frame(es_pacer pacer, const int64_t *numbers, int count, es_plan *plan, char *answer) {
    es_refresh refresh;
    es_status status;
    refresh.at = numbers[1];
    refresh.period = numbers[2];
    refresh.uncertainty = numbers[3];
    status = es_pacer_next_frame(pacer, numbers[0], count == 4 ? &refresh : NULL, plan);
    if (status == ES_STATUS_OK) {
        sprintf(answer, "= %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64, plan->begin, plan->shown, plan->asked, plan->period);
    }
    return status;
}

static es_status finish_frame(es_pacer pacer, int64_t ready, const es_plan *plan, char *answer) {
    es_pacer_stats stats;
    int64_t cost = -1;
    es_status status = es_pacer_finish(pacer, plan, ready);
    if (status != ES_STATUS_OK) return status;
    if (es_pacer_cost(pacer, &cost) < 0) return ES_STATUS_FAULT;
    status = es_pacer_report(pacer, &stats);
    if (status == ES_STATUS_OK) {
        sprintf(answer, "= %" PRId64 " %" PRIu64 " %" PRId64 " %" PRIu64 " %" PRIu64 " %" PRId64, cost, stats.frames, stats.waited,
                stats.missed, stats.missed_by_waiting, stats.latency_won);
    }
    return status;
}

static es_status call_pacer(const char *name, const int64_t *numbers, int count, es_pacer *pacer, es_plan *plan, char *answer) {
    const uint32_t a = (uint32_t)numbers[0], b = (uint32_t)numbers[1];
    if (strcmp(name, "plan") == 0) return plan_frame(*pacer, numbers, count, plan, answer);
    if (strcmp(name, "finish") == 0) return finish_frame(*pacer, numbers[0], plan, answer);
    if (strcmp(name, "pacer_percentile") == 0) return es_pacer_set_percentile(*pacer, (double)numbers[0]);
    if (strcmp(name, "pacer_margin") == 0) return es_pacer_set_margin(*pacer, numbers[0]);
    if (strcmp(name, "pacer_variable") == 0) return es_pacer_set_variable_refresh(*pacer, numbers[0]);
    if (strcmp(name, "pacer_limit") == 0) return es_pacer_set_limit(*pacer, a, b);
    if (strcmp(name, "pacer_unset_limit") == 0) return es_pacer_unset_limit(*pacer);
    if (strcmp(name, "pacer_saving") == 0) return es_pacer_set_saving(*pacer, a, b);
    if (strcmp(name, "pacer_unset_saving") == 0) return es_pacer_unset_saving(*pacer);
    if (strcmp(name, "pacer") != 0) return ES_STATUS_MISSING;
    if (pacer->id != 0) {
        const es_status status = es_pacer_destroy(*pacer);
        if (status != ES_STATUS_OK) return status;
    }
    return es_pacer_create(pacer);
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
        sprintf(answer, "= %" PRIx64 " %" PRIu32, bits, smoothed->jumps);
        return ES_STATUS_OK;
    }
    return ES_STATUS_MISSING;
}

int main(void) {
    char line[1024], answer[1024] = "", name[64];
    es_timestep timestep = {0};
    es_frame frame = {0};
    es_pacer pacer = {0};
    es_plan plan = {0};
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
                status = call_pacer(name, numbers, words - 1, &pacer, &plan, answer);
                if (status == ES_STATUS_MISSING) status = call_smoothed(name, numbers, &smoothed, answer);
            }
            if (status != ES_STATUS_OK) {
                fprintf(stderr, "line %d: %s\n", number, es_status_text(status));
                return EXIT_FAILURE;
            }
        }
    }
    es_timestep_destroy(timestep);
    es_pacer_destroy(pacer);
    printf("%d answers are those of the script\n", answers);
    return answers > 1200 ? EXIT_SUCCESS : EXIT_FAILURE;
}
