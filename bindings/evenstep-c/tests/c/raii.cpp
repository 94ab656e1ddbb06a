// The header for C++: a ball at 2 m/s, a tap, a pause, and what a wrong call throws.
#include <evenstep.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

static void expect(bool is_so, const char *what) {
    if (is_so) return;
    std::fprintf(stderr, "not so: %s\n", what);
    std::exit(EXIT_FAILURE);
}

int main() {
    constexpr std::int64_t SECOND = 1'000'000'000;
    constexpr std::uint32_t JUMP = 7;
    evenstep::timestep timestep(60);
    evenstep::input input;
    evenstep::smoothed x(0.0);
    evenstep::poses poses(2);
    float state[4] = {0.0F, 0.0F, 1.0F, 0.0F};
    poses.add(state, 4);
    input.press(JUMP, SECOND / 2 + 1'000'000);
    input.release(JUMP, SECOND / 2 + 2'000'000);

    std::uint32_t jumps = 0;
    double drawn = 0.0, most = 0.0, least = 1.0;
    for (std::int64_t number = 0; number <= 144; number++) {
        const auto frame = timestep.begin_frame(number * SECOND / 144);
        input.begin_frame(timestep);
        for (const auto step : frame) {
            input.begin_step(step);
            jumps += input.presses(JUMP);
            expect(!input.is_down(JUMP) || step.tick == 30, "the tap is in step 30");
            x.begin_step();
            x.current += 2.0 * step.dt;
            state[0] = static_cast<float>(x.current);
            poses.commit(state, 4);
        }
        float row[4];
        poses.draw(frame.alpha, row, 4);
        const double now = x.at(frame.alpha);
        expect(std::abs(row[0] - now) < 1e-4, "poses and a smoothed number are drawn alike");
        if (frame.tick > 2) {
            most = std::max(most, now - drawn);
            least = std::min(least, now - drawn);
        }
        drawn = now;
    }
    expect(jumps == 1, "one press is one jump");
    expect(most - least < 1e-8, "drawn motion is even, to the rounding of times to nanoseconds");

    timestep.suspend();
    const auto paused = timestep.begin_frame(2 * SECOND);
    expect(!(paused.begin() != paused.end()), "a pause has no steps");
    timestep.resume();

    evenstep::timestep moved(std::move(timestep));
    moved.set_time_scale(1, 2);
    try {
        moved.begin_frame(0);
        expect(false, "a time long ago is refused");
    } catch (const evenstep::error &error) {
        expect(error.status() == ES_STATUS_TIME_WENT_BACK, error.what());
    }
    try {
        evenstep::timestep none(0);
        expect(false, "no rate is refused");
    } catch (const evenstep::error &) {
    }
}
