/* Plays the conformance script as far as the header has what it calls, and fails where an answer differs by a digit. What it leaves out:
 * buffers with little room or without rules for pauses, motion and wheel, counts of events. C and C++. In this folder:
 *
 *     cc -O2 -ffp-contract=off conformance.c -o conformance -lm && ./conformance [SCRIPT]
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "../evenstep.h"

enum { LINE = 4096 };
enum { NOTHING, FRAME, INPUT, NUMBER, STATE, FOLLOW };

/* What is played at present. */
struct player {
    es_loop loop;
    es_frame frame;
    bool is_ahead;
    es_input input;
    bool skips_input;
    es_playback playback;
    es_refresh refresh;
    bool is_refresh;
    double before, now, turn; /* a number that is drawn between its last two states */
    bool is_teleport;
    char answer[LINE];
    int answers; /* what the last call answers */
};

static uint64_t gcd(uint64_t a, uint64_t b) {
    while (b != 0) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static void append(char *text, const char *format, uint64_t number) {
    const size_t length = strlen(text);
    snprintf(text + length, LINE - length, format, number);
}

/* Appends seconds and a fraction in lowest terms. */
static void append_time(char *text, uint64_t seconds, uint64_t numer, uint64_t denom) {
    const uint64_t common = gcd(numer, denom);
    append(text, " %" PRIu64, seconds + numer / denom);
    append(text, "+%" PRIx64, numer % denom / common);
    append(text, "/%" PRIx64, denom / common);
}

static void answer_frame(struct player *player) {
    const es_loop *loop = &player->loop;
    const es_frame *frame = &player->frame;
    const uint64_t second = (uint64_t)1000000000 * loop->rate_numer;
    char *text = player->answer;
    uint64_t alpha;
    memcpy(&alpha, &frame->alpha, sizeof alpha);
    strcpy(text, "=");
    append(text, " %" PRIu64, frame->first_tick);
    append(text, " %" PRIu64, frame->tick);
    append(text, " %" PRIu64, frame->single_steps);
    append(text, " %" PRIx64, alpha);
    append(text, " %" PRIu64, frame->clamped);
    append(text, " %" PRIu64, frame->paused);
    append(text, " %" PRIu64, frame->dropped);
    append(text, " %" PRIu64, frame->is_behind);
    append_time(text, 0, loop->fraction + loop->backlog, second);
    if (frame->tick == 0) {
        append_time(text, 0, 0, 1);
    } else {
        const uint64_t steps = (frame->tick - 1) / loop->rate_numer;
        const uint64_t rest = (frame->tick - 1) % loop->rate_numer * loop->rate_denom;
        const uint64_t units = rest % loop->rate_numer * 1000000000 + loop->drawn;
        append_time(text, steps * loop->rate_denom + rest / loop->rate_numer, units, second);
    }
    player->answers = FRAME;
}

/* A frame as of the core's FixedTimestep, which accepts 250 ms unless it is set. */
static es_frame begin_frame(es_loop *loop, uint64_t now) {
    const int64_t wanted = loop->wanted_max_delta;
    es_frame frame;
    if (wanted < 0 && !es_loop_keeps_time(loop)) es_loop_set_max_delta(loop, 250000000);
    frame = es_loop_begin_frame(loop, now);
    es_loop_set_max_delta(loop, wanted);
    return frame;
}

/* Plays a frame: of each step its tick and the numbers of keys 1 to 3. */
static void play(struct player *player, uint64_t now) {
    es_frame frame = begin_frame(&player->loop, now);
    es_step step;
    uint32_t key;
    es_input_begin_frame(&player->input, &player->loop);
    player->answer[0] = '\0';
    while (es_frame_next(&frame, &step)) {
        es_input_begin_step(&player->input, &step);
        append(player->answer, " %" PRIu64, step.tick);
        for (key = 1; key <= 3; key++) {
            const es_input *input = &player->input;
            const uint32_t flags = es_input_is_held_at_end(input, key) + 2u * es_input_is_down(input, key) + 4u * es_input_was_released(input, key);
            append(player->answer, " %" PRIu64, 10 * es_input_presses(input, key) + flags);
        }
    }
    player->answers = player->skips_input ? NOTHING : INPUT;
}

static double number_of(int64_t bits) {
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static bool call_frames(struct player *player, const char *name, const char *line, const int64_t *numbers) {
    es_loop *loop = &player->loop;
    const uint32_t a = (uint32_t)numbers[0], b = (uint32_t)numbers[1];
    if (strcmp(name, "timestep") == 0) {
        player->is_ahead = false;
        if (!es_loop_init(loop, a, b)) return false;
        loop->is_filtered = false;
    } else if (strcmp(name, "lookahead") == 0) {
        player->is_ahead = true;
        es_loop_step_once(loop);
    } else if (strcmp(name, "filter") == 0) {
        loop->is_filtered = true;
    } else if (strcmp(name, "frame") == 0) {
        player->frame = begin_frame(loop, (uint64_t)numbers[0]);
        answer_frame(player);
    } else if (strcmp(name, "give_back") == 0) {
        es_loop_give_back(loop, &player->frame, a);
        answer_frame(player);
    } else if (strcmp(name, "max_delta") == 0) {
        es_loop_set_max_delta(loop, numbers[0]);
    } else if (strcmp(name, "max_steps") == 0) {
        es_loop_set_max_steps(loop, numbers[0]);
    } else if (strcmp(name, "unset_max_steps") == 0) {
        es_loop_set_max_steps(loop, -1);
    } else if (strcmp(name, "drop") == 0) {
        es_loop_set_drop(loop);
    } else if (strcmp(name, "carry") == 0) {
        es_loop_set_carry(loop, (uint64_t)numbers[0]);
    } else if (strcmp(name, "stretch") == 0) {
        return es_loop_set_stretch(loop, a, b);
    } else if (strcmp(name, "scale") == 0) {
        return es_loop_set_time_scale(loop, a, b);
    } else if (strcmp(name, "step_once") == 0) {
        es_loop_step_once(loop);
    } else if (strcmp(name, "pause") == 0) {
        es_loop_pause(loop);
    } else if (strcmp(line, "resume") == 0) {
        es_loop_resume(loop);
    } else if (strcmp(line, "resume_dropping") == 0) {
        es_loop_resume_dropping(loop);
    } else if (strcmp(name, "is_paused") == 0) {
        snprintf(player->answer, LINE, "= %d", es_loop_is_paused(loop));
        player->answers = STATE;
    } else if (strcmp(name, "backward_frames") == 0) {
        snprintf(player->answer, LINE, "= %" PRIu64, loop->backward_frames);
        player->answers = STATE;
    } else if (strcmp(name, "reset") == 0) {
        es_loop_reset(loop);
        if (player->is_ahead) es_loop_step_once(loop);
    } else {
        return false;
    }
    return true;
}

static bool call_input(struct player *player, const char *name, const int64_t *numbers) {
    es_input *input = &player->input;
    const uint32_t a = (uint32_t)numbers[0];
    if (strcmp(name, "input") == 0) {
        memset(input, 0, sizeof *input);
        player->skips_input = a < ES_EVENTS || numbers[1] != 0;
    } else if (strcmp(name, "play") == 0) {
        play(player, (uint64_t)numbers[0]);
    } else if (strcmp(name, "press") == 0) {
        return es_input_press(input, a);
    } else if (strcmp(name, "release") == 0) {
        return es_input_release(input, a);
    } else if (strcmp(name, "release_all") == 0) {
        return es_input_release_all(input);
    } else if (strcmp(name, "press_at") == 0) {
        return es_input_press_at(input, (uint64_t)numbers[0], (uint32_t)numbers[1]);
    } else if (strcmp(name, "release_at") == 0) {
        return es_input_release_at(input, (uint64_t)numbers[0], (uint32_t)numbers[1]);
    } else if (strcmp(name, "release_all_at") == 0) {
        return es_input_release_all_at(input, (uint64_t)numbers[0]);
    } else {
        return strncmp(name, "motion", 6) == 0 || strncmp(name, "wheel", 5) == 0;
    }
    return true;
}

static bool call_number(struct player *player, const char *name, const int64_t *numbers) {
    const double first = number_of(numbers[0]);
    if (strcmp(name, "smoothed") == 0) {
        player->before = player->now = first;
        player->turn = number_of(numbers[1]);
        player->is_teleport = false;
    } else if (strcmp(name, "smoothed_step") == 0) {
        player->before = player->now;
        player->now = first;
        player->is_teleport = false;
    } else if (strcmp(name, "smoothed_previous") == 0) {
        player->before = first;
        player->is_teleport = false;
    } else if (strcmp(name, "smoothed_teleport") == 0) {
        player->is_teleport = true;
    } else if (strcmp(name, "smoothed_shift") == 0) {
        player->before += first;
        player->now += first;
    } else if (strcmp(name, "smoothed_at") == 0) {
        const double alpha = player->is_teleport && first > 0.0 ? 1.0 : first;
        const double drawn = es_blend_angle(player->before, player->now, player->turn, alpha);
        uint64_t bits;
        memcpy(&bits, &drawn, sizeof bits);
        strcpy(player->answer, "=");
        append(player->answer, " %" PRIx64, bits);
        append(player->answer, " %" PRIu64, player->is_teleport);
        player->answers = NUMBER;
    } else {
        return false;
    }
    return true;
}

static bool call_follow(struct player *player, const char *name, const int64_t *numbers) {
    es_playback *song = &player->playback;
    es_refresh *display = &player->refresh;
    const bool is_refresh = player->is_refresh;
    const uint32_t a = (uint32_t)numbers[0], b = (uint32_t)numbers[1];
    const uint64_t first = (uint64_t)numbers[0], second = (uint64_t)numbers[1];
    if (strcmp(name, "playback") == 0) {
        es_playback_init(song);
        player->is_refresh = false;
    } else if (strcmp(name, "refresh") == 0) {
        player->is_refresh = true;
        return es_refresh_init(display, a, b);
    } else if (strcmp(name, "follow_latency") == 0) {
        es_playback_set_latency(song, first);
    } else if (strcmp(name, "follow_rate") == 0) {
        return es_playback_set_rate(song, a, b);
    } else if (strcmp(name, "follow_loop") == 0) {
        es_playback_set_loop_points(song, first, second);
    } else if (strcmp(name, "follow_pause") == 0) {
        if (is_refresh) es_refresh_pause(display);
        else es_playback_pause(song);
    } else if (strcmp(name, "follow_resume") == 0) {
        if (is_refresh) es_refresh_resume(display);
        else es_playback_resume(song);
    } else if (strcmp(name, "follow_report") == 0) {
        const es_report report = {first, second};
        es_playback_report(song, report);
    } else if (strcmp(name, "follow_frame") == 0) {
        const uint64_t time = is_refresh ? es_refresh_begin_frame(display, first) : es_playback_begin_frame(song, first);
        const double speed = is_refresh ? es_refresh_speed(display) : es_playback_speed(song);
        strcpy(player->answer, "=");
        append(player->answer, " %" PRIu64, time);
        append(player->answer, " %" PRIu64, is_refresh ? 0 : es_playback_position(song));
        append(player->answer, " %" PRIu64, (uint64_t)(speed * 16777216.0));
        append(player->answer, " %" PRIu64, is_refresh ? es_refresh_is_following(display) : es_playback_is_following(song));
        player->answers = FOLLOW;
    } else if (strcmp(name, "follow_at") == 0) {
        strcpy(player->answer, "=");
        append(player->answer, " %" PRIu64, is_refresh ? es_refresh_time_at(display, first) : es_playback_time_at(song, first));
        append(player->answer, " %" PRIu64, is_refresh ? 0 : es_playback_position_at(song, first));
        player->answers = FOLLOW;
    } else {
        return false;
    }
    return true;
}

/* Copies an answer without its first words and, of every eight that follow, the last four. */
static void without_motion(const char *line, char *kept) {
    int word = 0;
    size_t length = 0;
    for (; *line != '\0'; line++) {
        if (*line == ' ') word++;
        if (word > 6 && (word - 7) % 8 < 4) kept[length++] = *line;
    }
    kept[length] = '\0';
}

/* Whether the script has the answer; it may have columns after it. */
static bool is_right(const struct player *player, const char *line) {
    char kept[LINE];
    const size_t length = strlen(player->answer);
    if (player->answers == INPUT) {
        without_motion(line, kept);
        return strcmp(kept, player->answer) == 0;
    }
    return strncmp(line, player->answer, length) == 0 && (line[length] == '\0' || line[length] == ' ');
}

int main(int count, char **arguments) {
    const char *path = count > 1 ? arguments[1] : "../../../stored/conformance.txt";
    FILE *script = fopen(path, "r");
    static struct player player;
    static char line[LINE], call[LINE];
    char name[64];
    int number = 0, played[6] = {0, 0, 0, 0, 0, 0};
    if (script == NULL) {
        fprintf(stderr, "%s: cannot be read; run this in bindings/c/tests, or name the script\n", path);
        return EXIT_FAILURE;
    }
    while (fgets(line, sizeof line, script) != NULL) {
        int64_t numbers[3] = {0, 0, 0};
        line[strcspn(line, "\r\n")] = '\0';
        number++;
        if (line[0] == '#') continue;
        if (line[0] == '=') {
            played[player.answers]++;
            if (player.answers == NOTHING || is_right(&player, line)) continue;
            fprintf(stderr, "%s:%d: %s: expected\n%s\nbut got\n%s\n", path, number, call, line, player.answer);
            return EXIT_FAILURE;
        }
        strcpy(call, line);
        if (sscanf(line, "%63s %" SCNd64 " %" SCNd64 " %" SCNd64, name, &numbers[0], &numbers[1], &numbers[2]) > 0 &&
            (call_frames(&player, name, line, numbers) || call_input(&player, name, numbers) || call_number(&player, name, numbers) ||
             call_follow(&player, name, numbers))) {
            continue;
        }
        fprintf(stderr, "%s:%d: %s is refused or not known\n", path, number, line);
        return EXIT_FAILURE;
    }
    printf("%d frames, %d frames with input, %d numbers and %d times that follow as in the script; %d answers left out\n", played[FRAME],
           played[INPUT], played[NUMBER], played[FOLLOW], played[NOTHING]);
    return played[FRAME] > 400 && played[INPUT] > 40 && played[NUMBER] > 100 && played[FOLLOW] > 1000 ? EXIT_SUCCESS : EXIT_FAILURE;
}
