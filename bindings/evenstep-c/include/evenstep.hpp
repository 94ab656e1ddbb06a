// evenstep for C++17: the objects of evenstep.h that most games need, destroyed at the end of their scope. For other functions, call
// evenstep.h with handle(). A call that fails throws evenstep::error.
//
// MIT or Apache-2.0, at your option.
#ifndef EVENSTEP_HPP
#define EVENSTEP_HPP

#include <evenstep.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>

namespace evenstep {

// The error status of a call of evenstep.h; what() returns it in words.
class error : public std::runtime_error {
public:
    explicit error(es_status status) : std::runtime_error(es_status_text(status)), status_(status) {}
    es_status status() const noexcept { return status_; }

private:
    es_status status_;
};

inline void check(es_status status) {
    if (status < 0) throw error(status);
}

// Converts a time of a clock of <chrono> for evenstep.h. Take all times from one clock.
template <class Clock, class Duration>
std::int64_t nanoseconds(std::chrono::time_point<Clock, Duration> time) {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count();
}

// A step to run.
struct step {
    std::uint64_t tick;
    double dt; // seconds, always the same
};

// The plan for a frame: run its steps, `for (auto step : frame)`, then draw at alpha.
class frame : public es_frame {
public:
    explicit frame(const es_frame &from) : es_frame(from) {}

    class iterator {
    public:
        iterator(std::uint64_t tick, double dt) : step_{tick, dt} {}
        step operator*() const { return step_; }
        iterator &operator++() {
            ++step_.tick;
            return *this;
        }
        bool operator!=(const iterator &other) const { return step_.tick != other.step_.tick; }

    private:
        step step_;
    };
    iterator begin() const { return {first_tick, dt}; }
    iterator end() const { return {tick, dt}; }
};

// An object of evenstep.h, which is destroyed with this one. It belongs to the thread that made it.
template <class Id, es_status (*destroy)(Id)>
class object {
public:
    object(object &&other) noexcept : id_(std::exchange(other.id_, Id{})) {}
    object &operator=(object &&other) noexcept {
        std::swap(id_, other.id_);
        return *this;
    }
    ~object() {
        if (id_.id != 0) destroy(id_);
    }
    Id handle() const noexcept { return id_; }

protected:
    object() = default;
    Id id_{};
};

// A fixed timestep: it takes frame times and grants equal steps.
class timestep : public object<es_timestep, es_timestep_destroy> {
public:
    // A timestep of exactly numer / denom steps a second.
    explicit timestep(std::uint32_t numer, std::uint32_t denom = 1) { check(es_timestep_create(numer, denom, &id_)); }

    // Adds a display clock, with which a display at the rate of the steps gets one step in each frame. Call it before the first frame.
    timestep &with_display_clock() {
        es_filter filter{};
        filter.kind = ES_FILTER_DISPLAY_CLOCK;
        check(es_timestep_add_filter(id_, &filter));
        return *this;
    }

    // Once a frame: run the steps of the returned frame, then draw at its alpha.
    frame begin_frame(std::int64_t now) {
        es_frame begun;
        check(es_timestep_begin_frame(id_, now, &begun));
        return frame(begun);
    }
    template <class Clock, class Duration>
    frame begin_frame(std::chrono::time_point<Clock, Duration> now) {
        return begin_frame(nanoseconds(now));
    }

    void suspend() { check(es_timestep_suspend(id_)); }
    void resume() { check(es_timestep_resume(id_)); }
    // Sets how fast simulated time runs. Slow motion means fewer steps of the same length.
    void set_time_scale(std::uint32_t numer, std::uint32_t denom) { check(es_timestep_set_time_scale(id_, numer, denom)); }
};

// A number that is drawn between its last two states.
class smoothed : public es_smoothed {
public:
    // wrap is the period of the number: for an angle, a full turn.
    explicit smoothed(double state, double wrap = 0.0) : es_smoothed{} { check(es_smoothed_init(state, wrap, this)); }
    void begin_step() { check(es_smoothed_begin_step(this)); }
    void teleport() { check(es_smoothed_teleport(this)); }
    double at(double alpha) const { return es_smoothed_at(*this, alpha); }
};

// Keys, buttons and motion with timestamps: each event reaches exactly one step.
class input : public object<es_input, es_input_destroy> {
public:
    explicit input(std::uint32_t capacity = 1024) { check(es_input_create(capacity, &id_)); }

    // Records events. Times are in nanoseconds on the clock of the frames.
    void press(std::uint32_t key, std::int64_t time) { check(es_input_press(id_, key, time)); }
    void release(std::uint32_t key, std::int64_t time) { check(es_input_release(id_, key, time)); }
    void release_all(std::int64_t time) { check(es_input_release_all(id_, time)); }

    // Call it after timestep::begin_frame and before the steps.
    void begin_frame(const timestep &timestep) { check(es_input_begin_frame(id_, timestep.handle())); }
    void begin_step(const step &step) { check(es_input_begin_step(id_, step.tick)); }

    // The number of presses of a key in this step.
    std::uint32_t presses(std::uint32_t key) const {
        std::uint32_t presses = 0;
        check(es_input_presses(id_, key, &presses));
        return presses;
    }
    // Whether a key is held, or was tapped within this step.
    bool is_down(std::uint32_t key) const {
        bool is_down = false;
        check(es_input_is_down(id_, key, &is_down));
        return is_down;
    }
};

// Poses of many bodies as rows of floats: x, y, cosine and sine in the plane; x, y, z and a quaternion in space.
class poses : public object<es_poses, es_poses_destroy> {
public:
    explicit poses(std::uint32_t dimensions) { check(es_poses_create(dimensions, &id_)); }

    std::size_t add(const float *state, std::size_t floats) {
        std::size_t row = 0;
        check(es_poses_add(id_, state, floats, &row));
        return row;
    }
    // Takes the states of all rows. Call it once a step.
    void commit(const float *states, std::size_t floats) { check(es_poses_commit(id_, states, floats)); }
    // Marks the next state of a row as a teleport. Call it before the commit.
    void teleport(std::size_t row) { check(es_poses_teleport(id_, row)); }
    // Writes the drawn poses of all rows. Call it once a frame.
    void draw(double alpha, float *drawn, std::size_t floats) const { check(es_poses_draw(id_, alpha, drawn, floats)); }
};

} // namespace evenstep

#endif
