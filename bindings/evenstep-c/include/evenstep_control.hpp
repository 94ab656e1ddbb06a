/*
 * Control loops in C++17 over libevenstep: when to run the next cycle, and which controllers are due in it.
 *
 *     evenstep::cycle_timer timer(1000);                    // Hz
 *     evenstep::control_schedule schedule;
 *     const auto balance = schedule.add(1000), vision = schedule.add(60), log = schedule.add(7);
 *     timer.start(now());                                   // nanoseconds of CLOCK_MONOTONIC
 *     while (running) {
 *         timer.sleep();                                    // until the cycle is due, on an absolute grid
 *         read_sensors();
 *         schedule.update(timer.due(), [&](std::uint32_t controller, const es_task_step &step) {
 *             controllers[controller].update(step.dt);      // always its own period, exactly
 *         });
 *         write_actuators();
 *         timer.finish(now());                              // counts a deadline that was missed
 *     }
 *
 * The schedule gets the time at which a cycle is due, not the time at which it began, so it is exact with any jitter: after t seconds
 * a controller at f Hz ran floor(t * f) times. Hard real time depends on the kernel and the machine; this header does not promise it.
 *
 * An object belongs to the thread that created it. Errors of libevenstep are thrown as evenstep::error.
 *
 * MIT or Apache-2.0, at your option.
 */

#ifndef EVENSTEP_CONTROL_HPP
#define EVENSTEP_CONTROL_HPP

#include <cerrno>
#include <cstdint>
#include <ctime>
#include <stdexcept>
#include <string>
#include <utility>

#include "evenstep.h"

namespace evenstep {

/** An error of libevenstep. The call that failed has changed nothing. */
class error : public std::runtime_error {
public:
    error(const char *call, es_status status)
        : std::runtime_error(std::string(call) + ": " + es_status_text(status)), status_(status) {}

    es_status status() const noexcept { return status_; }

private:
    es_status status_;
};

namespace detail {
inline void check(const char *call, es_status status) {
    if (status < 0) {
        throw error(call, status);
    }
}
} // namespace detail

/** Determines which controllers are due in a cycle: each exactly at its own rate, in one order. */
class control_schedule {
public:
    /** A schedule without controllers. No time is dropped unless a cycle is a second late; set another policy with get(). */
    control_schedule() {
        detail::check("es_schedule_create", es_schedule_create(&schedule_));
        const std::int64_t second = 1000000000;
        if (es_schedule_set_max_delta(schedule_, second) < 0 || es_schedule_set_max_behind(schedule_, second) < 0) {
            es_schedule_destroy(schedule_);
            throw std::logic_error("libevenstep refused its own settings");
        }
    }

    ~control_schedule() {
        if (owned_) {
            es_schedule_destroy(schedule_);
        }
    }

    control_schedule(control_schedule &&other) noexcept
        : schedule_(other.schedule_), owned_(std::exchange(other.owned_, false)) {}
    control_schedule(const control_schedule &) = delete;
    control_schedule &operator=(const control_schedule &) = delete;
    control_schedule &operator=(control_schedule &&) = delete;

    /** Adds a controller at numer/denom Hz. Controllers that are due at the same time run in the order in which they were added. */
    std::uint32_t add(std::uint32_t numer, std::uint32_t denom = 1) {
        std::uint32_t task = 0;
        detail::check("es_schedule_add", es_schedule_add(schedule_, numer, denom, 0, &task));
        return task;
    }

    /** Runs the steps that are due at a time in nanoseconds: calls run(controller, step) for each, in order. The first call sets time
     * zero. */
    template <class Run> es_schedule_lost update(std::int64_t now, Run &&run) {
        es_schedule_lost lost{};
        detail::check("es_schedule_begin_frame", es_schedule_begin_frame(schedule_, now, &lost));
        es_task_step step;
        for (;;) {
            const es_status status = es_schedule_next_step(schedule_, &step);
            detail::check("es_schedule_next_step", status);
            if (status != ES_STATUS_OK) {
                return lost;
            }
            run(step.task, static_cast<const es_task_step &>(step));
        }
    }

    /** The number of steps that a controller has run. */
    std::uint64_t runs(std::uint32_t controller) const {
        std::uint64_t tick = 0;
        detail::check("es_schedule_tick", es_schedule_tick(schedule_, controller, &tick));
        return tick;
    }

    /** The handle, for functions of evenstep.h without a method here. */
    es_schedule get() const noexcept { return schedule_; }

private:
    es_schedule schedule_{};
    bool owned_ = true;
};

/** The policy of a cycle_timer for cycles that take longer than their period. */
enum class overrun {
    /** Overdue cycles run at once, one after the other; none is skipped. */
    burst,
    /** Overdue cycles are skipped; the next cycle runs at its time on the grid. */
    skip,
};

/** Determines when cycles are due, on an absolute grid without drift at any rate, and counts missed deadlines. */
class cycle_timer {
public:
    /** A timer at numer/denom Hz. Neither may be 0. */
    explicit cycle_timer(std::uint32_t numer, std::uint32_t denom = 1, overrun policy = overrun::burst)
        : numer_(numer), policy_(policy) {
        if (numer == 0 || denom == 0) {
            throw std::invalid_argument("evenstep::cycle_timer: a rate is above 0 Hz");
        }
        const std::uint64_t nanoseconds = UINT64_C(1000000000) * denom;
        whole_ = static_cast<std::int64_t>(nanoseconds / numer);
        rest_ = static_cast<std::uint32_t>(nanoseconds % numer);
    }

    /** Sets the time in nanoseconds at which the first cycle is due. */
    void start(std::int64_t now) noexcept {
        due_ = now;
        part_ = 0;
    }

    /** When the cycle is due, in nanoseconds, rounded down. */
    std::int64_t due() const noexcept { return due_; }

    /** The deadline of the cycle: the time at which the next cycle is due. */
    std::int64_t deadline() const noexcept { return due_ + whole_ + (std::uint64_t{part_} + rest_ >= numer_ ? 1 : 0); }

    /** Ends the cycle. Returns whether it met its deadline. Then due() is the time of the next cycle. */
    bool finish(std::int64_t now) noexcept {
        const bool met = now <= deadline();
        missed_ += met ? 0 : 1;
        step();
        while (policy_ == overrun::skip && deadline() <= now) {
            ++skipped_;
            ++missed_;
            step();
        }
        return met;
    }

    /** The number of missed deadlines, of late and of skipped cycles. */
    std::uint64_t missed() const noexcept { return missed_; }

    /** The number of skipped cycles. */
    std::uint64_t skipped() const noexcept { return skipped_; }

#if defined(TIMER_ABSTIME)
    /** Sleeps until the cycle is due, on a clock of the system; does not return before. */
    void sleep(clockid_t clock = CLOCK_MONOTONIC) const {
        const std::int64_t second = 1000000000;
        const timespec until{static_cast<std::time_t>(due_ / second), static_cast<long>(due_ % second)};
        int error = 0;
        do {
            error = clock_nanosleep(clock, TIMER_ABSTIME, &until, nullptr);
        } while (error == EINTR);
        if (error != 0) {
            throw std::runtime_error("evenstep::cycle_timer: clock_nanosleep refused the time " + std::to_string(due_) + " ns");
        }
    }
#endif

private:
    void step() noexcept {
        const std::uint64_t part = std::uint64_t{part_} + rest_;
        due_ += whole_ + (part >= numer_ ? 1 : 0);
        part_ = static_cast<std::uint32_t>(part >= numer_ ? part - numer_ : part);
    }

    std::uint32_t numer_;
    overrun policy_;
    /** The period: whole nanoseconds, and a remainder in parts of numer_. */
    std::int64_t whole_ = 0;
    std::uint32_t rest_ = 0;
    std::int64_t due_ = 0;
    std::uint32_t part_ = 0;
    std::uint64_t missed_ = 0;
    std::uint64_t skipped_ = 0;
};

} // namespace evenstep

#endif
