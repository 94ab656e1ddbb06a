/* Plays scripts made from seeds 0, 1, 2, ... through the loop, its filter and input, and compares all that comes out, integers only, with
 * the core, which plays the same scripts in Rust (crates/evenstep/tests/random_scripts.rs, which names the parts of a script). C and C++. In
 * this folder:
 *
 *     cc -O2 scripts.c -o scripts -lm && ./scripts
 */
#include "../evenstep.h"
#include "stored.h"

enum { SCRIPTS = 10000 };

static uint64_t state;

static uint64_t next(void) { /* splitmix64, S. Vigna */
    uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static uint64_t below(uint64_t end) { return next() % end; }

/* Seconds and a fraction in lowest terms. */
static void add_time(const char *name, uint64_t seconds, uint64_t numer, uint64_t denom) {
    uint64_t a = numer, b = denom;
    while (b != 0) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    add(name, seconds + numer / denom);
    add(name, numer % denom / a);
    add(name, denom / a);
}

static void set(es_loop *loop) {
    static const uint32_t SCALES[7][2] = {{1, 1}, {0, 1}, {1, 10}, {3, 1}, {7, 9}, {4294967291U, 4294967279U}, {1000003, 999983}};
    static const int64_t DELTAS[3] = {0, 1, 9000000000000000000};
    uint32_t numer;
    uint64_t which = below(12), sub;
    switch (which) {
    case 0:
        sub = below(8);
        es_loop_set_max_delta(loop, sub < 3 ? DELTAS[sub] : (int64_t)below(400000000));
        break;
    case 1:
        sub = below(8);
        es_loop_set_max_steps(loop, sub == 0 ? UINT32_MAX : (int64_t)below(6));
        break;
    case 2: es_loop_set_max_steps(loop, -1); break;
    case 3: es_loop_set_drop(loop); break;
    case 4: es_loop_set_carry(loop, below(500000000)); break;
    case 5:
        numer = (uint32_t)below(20);
        es_loop_set_stretch(loop, numer, 1 + (uint32_t)below(10));
        break;
    case 6:
        sub = below(7);
        es_loop_set_time_scale(loop, SCALES[sub][0], SCALES[sub][1]);
        break;
    case 7:
        numer = (uint32_t)below(1000);
        es_loop_set_time_scale(loop, numer, 1 + (uint32_t)below(1000));
        break;
    case 8: es_loop_step_once(loop); break;
    case 9: es_loop_pause(loop); break;
    case 10: es_loop_resume(loop); break;
    default:
        sub = below(4);
        if (sub == 0) es_loop_resume_dropping(loop);
        if (sub == 1) es_loop_reset(loop);
        if (sub == 2) es_loop_set_max_delta(loop, -1);
        if (sub == 3) {
            const uint64_t bits = below(65);
            es_loop_set_carry(loop, bits == 64 ? 0 : next() >> bits);
        }
    }
}

static void push(es_input *input, uint64_t now, uint64_t delta) {
    uint64_t time = now + below(delta + 1), kind;
    uint32_t key;
    bool is_timed, is_taken;
    if (below(4) == 3) time = esi_sub(time, below(delta + 1));
    kind = below(8);
    key = 1 + (uint32_t)below(3);
    is_timed = below(3) != 0;
    if (kind < 3) {
        is_taken = is_timed ? es_input_press_at(input, time, key) : es_input_press(input, key);
    } else if (kind < 7) {
        is_taken = is_timed ? es_input_release_at(input, time, key) : es_input_release(input, key);
    } else {
        is_taken = is_timed ? es_input_release_all_at(input, time) : es_input_release_all(input);
    }
    (void)is_taken; /* without room it is refused */
}

static void add_frame(const es_loop *loop, const es_frame *frame) {
    const uint64_t second = (uint64_t)1000000000 * loop->rate_numer;
    add("first_tick", frame->first_tick);
    add("tick", frame->tick);
    add("single_steps", frame->single_steps);
    add("clamped", frame->clamped);
    add("paused", frame->paused);
    add("dropped", frame->dropped);
    add("is_behind", frame->is_behind);
    add("filter.residual", (uint64_t)loop->filter.residual);
    add("backward_frames", loop->backward_frames);
    add_time("overstep", 0, loop->fraction + loop->backlog, second);
    if (frame->tick > 0) {
        const uint64_t steps = (frame->tick - 1) / loop->rate_numer;
        const uint64_t rest = (frame->tick - 1) % loop->rate_numer * loop->rate_denom;
        const uint64_t units = rest % loop->rate_numer * 1000000000 + loop->drawn;
        add_time("shown time", steps * loop->rate_denom + rest / loop->rate_numer, units, second);
    }
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

static void play_frame(es_loop *loop, es_input *input, uint64_t seed, int call, uint64_t now) {
    static const char *const KEYS[] = {"key 1", "key 2", "key 3"};
    char name[96];
    es_frame frame = begin_frame(loop, now);
    es_step step;
    uint32_t key;
    int steps = 0;
    if (below(6) == 0) es_loop_give_back(loop, &frame, (uint32_t)below((uint64_t)frame.steps + 2));
    es_input_begin_frame(input, loop);
    while (steps++ < 8 && es_frame_next(&frame, &step)) {
        es_input_begin_step(input, &step);
        for (key = 1; key <= 3; key++) {
            const uint32_t flags = es_input_is_held_at_end(input, key) + 2u * es_input_is_down(input, key) + 4u * es_input_was_released(input, key);
            add(KEYS[key - 1], 10 * es_input_presses(input, key) + flags);
        }
    }
    add_frame(loop, &frame);
    snprintf(name, sizeof name, "script %d, call %d: es_loop_begin_frame at %" PRIu64 " ns", (int)seed, call, now);
    end_call(seed, name);
}

static void play(uint64_t seed) {
    static const uint32_t RATES[6][2] = {{60, 1}, {60000, 1001}, {144, 1}, {1, 3}, {10000, 1}, {4294967291U, 4294967279U}};
    static es_input input;
    es_loop loop;
    uint64_t now, rate;
    uint32_t numer, denom;
    int frames;
    state = seed;
    rate = below(8);
    if (rate < 6) {
        numer = RATES[rate][0];
        denom = RATES[rate][1];
    } else {
        const uint64_t end = rate == 6 ? UINT32_MAX : 1000;
        numer = 1 + (uint32_t)below(end);
        denom = 1 + (uint32_t)below(end);
    }
    es_loop_init(&loop, numer, denom);
    loop.is_filtered = below(2) == 1;
    memset(&input, 0, sizeof input);
    now = 1 + below(UINT64_C(1000000000000));
    play_frame(&loop, &input, seed, 0, now);
    for (frames = 1; frames < CALLS; frames++) {
        uint64_t delta, events;
        while (below(3) == 0) set(&loop);
        switch (below(10)) {
        case 0: delta = 0; break;
        case 1: delta = below(2000000000); break;
        case 2: delta = below(UINT64_C(1000000000000000)); break;
        default: delta = 1000000 + below(39000000);
        }
        for (events = below(3); events > 0; events--) push(&input, now, delta);
        now += delta;
        play_frame(&loop, &input, seed, frames, below(8) == 0 ? esi_sub(now, below(UINT64_C(3000000000))) : now); /* the clock may go back */
    }
}

int main(void) {
    uint64_t seed;
    begin_calls(0);
    for (seed = 0; seed < SCRIPTS; seed++) play(seed);
    return compared(SCRIPTS, "scripts");
}
