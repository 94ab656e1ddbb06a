/* The header for control loops, on a virtual clock, beside the rule of controllers that measure how long ago they ran. */

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "evenstep_control.hpp"

namespace {

constexpr std::int64_t MILLISECOND = 1000000;
constexpr std::uint32_t RATES[] = {1000, 333, 60, 7};

void must(bool holds, const char *claim) {
    if (!holds) {
        std::fprintf(stderr, "control.cpp: not so: %s\n", claim);
        std::exit(1);
    }
}

/** xorshift, for jitter. */
std::uint64_t next_random() {
    static std::uint64_t state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

/** Runs when the time since its last run, times its rate, is a period or nearly so; what it overslept it forgets. */
struct measured {
    double rate;
    std::int64_t last = 0;
    std::uint64_t runs = 0;

    void update(std::int64_t now) {
        if (static_cast<double>(now - last) * 1e-9 * rate >= 0.99) {
            last = now;
            ++runs;
        }
    }
};

/** Cycles at 1 kHz that begin up to 200 us late; the schedule is told when they were due, or when they began. */
void rates_are_exact(bool told_due) {
    constexpr std::int64_t CYCLES = 200000;
    evenstep::cycle_timer timer(1000);
    evenstep::control_schedule schedule;
    measured rule[4];
    for (int task = 0; task < 4; ++task) {
        must(schedule.add(RATES[task]) == static_cast<std::uint32_t>(task), "tasks are numbered in order");
        rule[task].rate = RATES[task];
    }
    timer.start(0);
    schedule.update(0, [](std::uint32_t, const es_task_step &) { must(false, "nothing is due at the beginning"); });
    timer.finish(0);
    for (std::int64_t cycle = 1; cycle <= CYCLES; ++cycle) {
        must(timer.due() == cycle * MILLISECOND, "cycles are due on the grid");
        const std::int64_t begin = timer.due() + static_cast<std::int64_t>(next_random() % 200000);
        const std::int64_t now = told_due ? timer.due() : begin;
        schedule.update(now, [](std::uint32_t task, const es_task_step &step) {
            must(step.dt == 1.0 / RATES[task], "a step is as long as its period");
        });
        for (int task = 0; task < 4; ++task) {
            const std::uint64_t due = static_cast<std::uint64_t>(now) * RATES[task] / 1000000000u;
            must(schedule.runs(static_cast<std::uint32_t>(task)) == due, "each controller ran as often as it was due");
            rule[task].update(begin);
        }
        must(timer.finish(begin + 300000), "300 us of work meet the deadline");
    }
    if (told_due) {
        std::printf("%lld cycles: 66600/12000/1400 at 333/60/7 Hz; by the rule on measured time %llu/%llu/%llu\n",
                    static_cast<long long>(CYCLES), static_cast<unsigned long long>(rule[1].runs),
                    static_cast<unsigned long long>(rule[2].runs), static_cast<unsigned long long>(rule[3].runs));
    }
    must(rule[1].runs != 66600 && rule[2].runs != 12000 && rule[3].runs != 1400, "the rule on measured time counts wrongly");
}

/** The grid of a rate whose period is no whole number of nanoseconds. */
void grids_do_not_drift() {
    evenstep::cycle_timer timer(60000, 1001);
    timer.start(5);
    for (std::int64_t cycle = 0; cycle < 600000; ++cycle) {
        must(timer.due() == 5 + cycle * 1001 * 1000000 / 60, "the grid is exact");
        const std::int64_t deadline = timer.deadline();
        timer.finish(timer.due());
        must(timer.due() == deadline, "a deadline is when the next cycle is due");
    }
}

/** One cycle takes 3.5 ms. */
void overruns_are_counted() {
    evenstep::cycle_timer burst(1000), skip(1000, 1, evenstep::overrun::skip);
    must(!burst.finish(3500000) && !skip.finish(3500000), "the deadline is missed");
    must(burst.due() == MILLISECOND && burst.missed() == 1, "by a burst the next cycle was due long ago");
    must(skip.due() == 3 * MILLISECOND && skip.skipped() == 2 && skip.missed() == 3, "cycles that are over are left out");
    must(!burst.finish(3600000) && !burst.finish(3700000) && burst.finish(3800000), "a burst catches up");
    must(burst.due() == 4 * MILLISECOND && burst.missed() == 3, "and has left out none");
    must(skip.finish(3900000) && skip.due() == 4 * MILLISECOND, "both are on the grid again");
}

void errors_are_thrown() {
    evenstep::control_schedule schedule;
    bool thrown = false;
    try {
        schedule.add(0);
    } catch (const evenstep::error &refused) {
        thrown = refused.status() < 0;
    }
    must(thrown, "a rate of zero is refused");
    thrown = false;
    try {
        evenstep::cycle_timer timer(0);
    } catch (const std::invalid_argument &) {
        thrown = true;
    }
    must(thrown, "a timer without a rate is refused");
    evenstep::control_schedule moved(std::move(schedule));
    must(moved.add(10) == 0, "a schedule can be moved");
}

/** The timer of the system does not wake before the time. */
void sleeps_end_when_cycles_are_due() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    evenstep::cycle_timer timer(1000);
    timer.start(time.tv_sec * INT64_C(1000000000) + time.tv_nsec);
    for (int cycle = 0; cycle < 20; ++cycle) {
        timer.sleep();
        clock_gettime(CLOCK_MONOTONIC, &time);
        const std::int64_t now = time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
        must(now >= timer.due(), "a sleep ends when the cycle is due");
        timer.finish(now);
    }
}

} // namespace

int main() {
    rates_are_exact(true);
    rates_are_exact(false);
    grids_do_not_drift();
    overruns_are_counted();
    errors_are_thrown();
    sleeps_end_when_cycles_are_due();
    return 0;
}
