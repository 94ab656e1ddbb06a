/*
 * evenstep: equal steps and smooth drawing for games and simulations. This header is the manual.
 *
 * A game whose step follows the display plays differently on every machine. Pass evenstep the time once a frame, run the equal
 * steps that it returns, and draw between the last two states:
 *
 *     es_timestep timestep;
 *     es_timestep_create(60, 1, &timestep);               // 60/1 steps a second
 *     while (running) {
 *         es_frame frame;
 *         es_timestep_begin_frame(timestep, now(), &frame); // nanoseconds of your clock
 *         for (uint64_t tick = frame.first_tick; tick != frame.tick; tick++) {
 *             previous = current;
 *             step(&current, frame.dt);                   // the same dt always
 *         }
 *         draw(previous + (current - previous) * frame.alpha);
 *     }
 *     es_timestep_destroy(timestep);
 *
 * Handles such as es_timestep above are small values. They can be copied, and all copies refer to the same object. An id of 0
 * refers to no object. Destroy each object once.
 *
 * Times are nanoseconds, int64_t, never negative. Rates and time scales are two uint32_t, numerator and denominator, so 59.94 Hz
 * is 5994, 100 and exact. No function reads a clock, calls back or prints.
 *
 * Errors: nearly every function returns an es_status: ES_STATUS_OK or a negative error. Its description lists the possible errors
 * without the prefix ES_STATUS_; every function may also return FAULT, a bug in this library. A function that returns an error has
 * changed nothing and written nothing, and may be called again with the same arguments. es_status_text returns an error in words.
 * A pointer must be NULL, which is an error, or the address of a value of its type, and an array must be as long as its count says;
 * no other argument is undefined behaviour.
 *
 * Threads: an object belongs to the thread that created it. Calls from another thread return THREAD until the object has been
 * moved with es_hand_over and es_take_over. Different threads may use different objects at the same time, without locks.
 *
 * Memory: creating objects, adding rows and adding tasks allocates. A frame does not, once buffers have grown to their final size.
 *
 * Cost: a frame in which only time passes takes under 200 instructions, the call included.
 *
 * Contents, in this order: constants; errors and exact times; types; then the functions of each kind of object under its own
 * heading: threads, timestep, poses, input, events, schedule, statistics. Timestep, poses and input are
 * enough for most games.
 *
 * MIT or Apache-2.0, at your option. Made from Rust sources by cbindgen; do not edit.
 */

#ifndef EVENSTEP_H
#define EVENSTEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The version of this header. */
#define EVENSTEP_VERSION "0.1.0"

/** Follows the display: estimates its period from the deltas and outputs whole multiples of it. The best for most programs. */
#define ES_FILTER_DISPLAY_CLOCK 1

/** Rounds deltas near a whole number of refresh intervals to it, at a given refresh rate. */
#define ES_FILTER_SNAP 2

/** Rounds deltas like ES_FILTER_SNAP, at a refresh rate that it estimates. */
#define ES_FILTER_SNAP_ESTIMATING 3

/** Outputs the mean of the last deltas. */
#define ES_FILTER_AVERAGE 4

/** Clamps deltas to the longest one, before filters that a hitch would disturb. */
#define ES_FILTER_CLAMP 5

/** A key or button went down. */
#define ES_INPUT_PRESS 1

/** A key or button went up. */
#define ES_INPUT_RELEASE 2

/** A pointer moved. */
#define ES_INPUT_MOTION 3

/** A wheel turned. */
#define ES_INPUT_WHEEL 4

/** Everything that was held went up. */
#define ES_INPUT_RELEASE_ALL 5

/** A key or button is down that was pressed in a pause, or while the buffer was full: it is held and does not count as a press. */
#define ES_INPUT_HOLD 6

/** The frame is blended between two states. */
#define ES_SEEN_BLENDED 0

/** The frame is extrapolated. */
#define ES_SEEN_EXTRAPOLATED 1

/** The event is not drawn: it is due as soon as its step has run. */
#define ES_SEEN_AT_ONCE 2

/**
 * The result of a function: ES_STATUS_OK, ES_STATUS_NONE if there is nothing to return, or an error, which is negative. A function
 * that returns an error has changed nothing and written nothing, and the program may continue.
 */
typedef enum {
  /** Done. */
  ES_STATUS_OK = 0,
  /** There is nothing (more) to return. Not an error. */
  ES_STATUS_NONE = 1,
  /** A pointer is NULL. */
  ES_STATUS_NULL = -1,
  /** The object was destroyed, is of another kind, or never existed. */
  ES_STATUS_OBJECT = -2,
  /** The object belongs to another thread; see es_hand_over. */
  ES_STATUS_THREAD = -3,
  /** The same object was passed twice. */
  ES_STATUS_BUSY = -4,
  /** There are 65536 objects already. */
  ES_STATUS_OBJECTS = -5,
  /** A time is negative. */
  ES_STATUS_NEGATIVE = -6,
  /** A number is NaN or infinite. */
  ES_STATUS_NOT_FINITE = -7,
  /** A rate has a zero, or a time scale a denominator of zero. */
  ES_STATUS_RATIO = -8,
  /** A number is outside the range that the function's description gives. */
  ES_STATUS_RANGE = -9,
  /** An array is shorter than it must be. */
  ES_STATUS_SIZE = -10,
  /** There is no such row or task. */
  ES_STATUS_MISSING = -11,
  /** Called out of order. */
  ES_STATUS_ORDER = -12,
  /** The time is earlier than that of the last frame, by more than a second. */
  ES_STATUS_TIME_WENT_BACK = -13,
  /** The buffer or list is full. Nothing was added. */
  ES_STATUS_FULL = -14,
  /** A bug in this library. Please report it. */
  ES_STATUS_FAULT = -15,
} es_status;

/**
 * An exact time: whole seconds and a fraction of a second below 1, in lowest terms. The fraction's numerator and denominator
 * have 128 bits, in two halves; for most rates and scales the high halves are zero.
 */
typedef struct {
  /** Whole seconds. */
  uint64_t seconds;
  /** The numerator of the fraction of a second, its high 64 bits. */
  uint64_t numer_high;
  /** Its low 64 bits. */
  uint64_t numer_low;
  /** The denominator of the fraction of a second, its high 64 bits. */
  uint64_t denom_high;
  /** Its low 64 bits; the denominator is never zero. */
  uint64_t denom_low;
} es_exact;

/** A fixed timestep: times of frames go in, equal steps come out. */
typedef struct {
  /** 0 refers to no object. */
  uint64_t id;
} es_timestep;

/** The plan for a frame: run its steps, from tick first_tick up to and without tick, then draw at alpha. */
typedef struct {
  /** The tick of its first step. Ticks count steps from 0. */
  uint64_t first_tick;
  /** The number of steps that the simulation has completed after this frame's steps; the tick of the next step. */
  uint64_t tick;
  /** Where to draw between the previous state (0) and the current one; below 1, also as a float. */
  double alpha;
  /** The length of every step, in seconds. */
  double dt;
  /** Real time that was cut off because the delta was too long, in nanoseconds. It never reached the simulation. */
  int64_t clamped;
  /** Real time of a known pause, in nanoseconds. */
  int64_t suspended;
  /** The number of due steps that were dropped. */
  uint64_t dropped;
  /** The number of steps: tick - first_tick. */
  uint32_t steps;
  /** How many of them were requested one by one and use up no time. */
  uint32_t single_steps;
  /** Whether time is kept back for later frames. */
  bool is_behind;
  /** Whether a change of the time scale had to round, by less than a billionth of a step. */
  bool is_rounded;
} es_frame;

/** A filter and its settings. Settings that this kind of filter does not use are ignored. */
typedef struct {
  /** The kind of filter: a ES_FILTER_ constant. */
  uint32_t kind;
  /** ES_FILTER_SNAP: the display's refresh rate in hertz, its numerator. */
  uint32_t rate_numer;
  /** ES_FILTER_SNAP: its denominator. */
  uint32_t rate_denom;
  /** ES_FILTER_AVERAGE: the number of deltas in the average; 4, 8, 16 or 32. */
  uint32_t window;
  /** ES_FILTER_CLAMP: the longest delta that passes, in nanoseconds. */
  int64_t max_delta;
} es_filter;

/** A number of the simulation, now and before the last step. A step may assign any value to the current number. */
typedef struct {
  /** The number before the last step. */
  double previous;
  /** The number now. */
  double current;
  /**
   * The period of the number, such as 360 for an angle in degrees or the width of a world that is left on one side and entered on
   * the other; 0 if it does not wrap.
   */
  double wrap;
  /** 1 if the number teleported in the present step, so that nothing is drawn between; else 0. */
  uint32_t teleported;
} es_smoothed;

/**
 * Bodies that are drawn between their last two states, one body a row.
 *
 * A row in the plane is 4 floats: x, y, and cosine and sine of the angle. A row in space is 7: x, y, z, and the rotation as a
 * unit quaternion x, y, z, w. Rows lie one after the other.
 */
typedef struct {
  /** 0 refers to no object. */
  uint64_t id;
} es_poses;

/** Keys, buttons, pointer and wheel with their times: each event reaches exactly one step, that of its time. */
typedef struct {
  /** 0 refers to no object. */
  uint64_t id;
} es_input;

/**
 * Tasks at different rates, such as physics at 120 Hz and decisions at 10 Hz, stepped from one clock. Steps run in the order in
 * which they end; steps that end at the same time run in the order in which their tasks were added.
 */
typedef struct {
  /** 0 refers to no object. */
  uint64_t id;
} es_schedule;

/** An event that reached its step. */
typedef struct {
  /** When it happened, in nanoseconds on the clock of the frames. */
  int64_t time;
  /** By how much a pointer or wheel moved to the right, in the device's units or in lines. */
  double x;
  /** By how much it moved down. */
  double y;
  /** What happened: an ES_INPUT_ constant. */
  uint32_t kind;
  /** Which key or button. */
  uint32_t key;
} es_event;

/** Counts of events that were late, out of order or refused. */
typedef struct {
  /** Events that wait for their step. */
  uint64_t waiting;
  /** Events that arrived after the frame of their time. They went to the next step. */
  uint64_t late;
  /** Events that arrived after a later event. They were put before it. */
  uint64_t reordered;
  /** Events that arrived while the buffer was full. Unless the call failed, their state was kept. */
  uint64_t refused;
  /** Events of pauses, of which only the state was kept. */
  uint64_t paused;
} es_input_counted;

/**
 * Sounds, flashes and other effects, which steps emit and which are delivered when their moment is presented: an interpolated frame
 * shows an earlier moment than the simulation has reached.
 */
typedef struct {
  /** 0 refers to no object. */
  uint64_t id;
} es_events;

/** Time that a frame of a schedule lost. */
typedef struct {
  /** Real time that was cut off because the delta was too long, in nanoseconds. */
  int64_t clamped;
  /** Real time of a known pause, in nanoseconds. */
  int64_t suspended;
  /** Simulated time that no task will step. */
  es_exact dropped;
  /** Simulated time that was rounded away when the time scale changed. */
  es_exact rounded;
} es_schedule_lost;

/** A step of a task. */
typedef struct {
  /** Its tick. */
  uint64_t tick;
  /** Its length in seconds. */
  double dt;
  /** The task. */
  uint32_t task;
} es_task_step;

/** Statistics of the last 240 frames. */
typedef struct {
  /** 0 refers to no object. */
  uint64_t id;
} es_stats;

/** A report of the last 240 frames, the window. */
typedef struct {
  /** The number of frames recorded in all, including frames before the window. */
  uint64_t frames;
  /** The number of frames of the window with 0, 1, 2, … steps; the last element counts frames with seven or more. */
  uint32_t steps_per_frame[8];
  /** The smallest alpha of the window. It and all fields below are zero before the first frame. */
  double alpha_least;
  /** The mean alpha of the window. */
  double alpha_mean;
  /** The largest alpha of the window. */
  double alpha_largest;
  /** The median frame time, in nanoseconds. */
  int64_t frame_time_median;
  /** The frame time that 99 % of the frames do not exceed, in nanoseconds. */
  int64_t frame_time_p99;
  /** The longest frame time, in nanoseconds. */
  int64_t frame_time_longest;
  /** Real time that was clamped, in nanoseconds. */
  int64_t clamped;
  /** Real time of known pauses, in nanoseconds. */
  int64_t suspended;
  /** Steps that were dropped. */
  uint64_t dropped;
  /**
   * The animation error, in seconds: the root mean square of the difference between the advance of drawn simulated time and the
   * frame time.
   */
  double animation_error;
} es_report;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/*
 * Errors, versions, clocks and exact times
 * ----------------------------------------
 */

/** Returns the meaning of a status in words: a static string, never NULL, also for a number that is not a status. */
const char *es_status_text(int32_t status);

/** Returns the version of the loaded library, such as "0.1.0". EVENSTEP_VERSION is the version of the header. */
const char *es_version(void);

/**
 * Converts seconds, as glfwGetTime and other clocks return them, to nanoseconds, rounded to the nearest.
 * Errors: NOT_FINITE, NEGATIVE; RANGE beyond 292 years.
 */
es_status es_nanoseconds(double seconds, int64_t *nanoseconds);

/** Returns an exact time in seconds, rounded to a floating-point number. 0 for NULL. */
double es_exact_seconds(const es_exact *time);

/*
 * Threads
 * -------
 */

/**
 * Gives up an object, so that another thread can take it with es_take_over: es_hand_over(timestep.id). An object belongs to
 * the thread that created it, and calls from another thread return THREAD. If a thread ends without handing over its objects,
 * they can no longer be used or destroyed.
 * Errors: OBJECT, THREAD.
 */
es_status es_hand_over(uint64_t id);

/**
 * Makes this thread the owner of an object that was handed over.
 * Errors: OBJECT; THREAD if it was not handed over, or another thread took it first.
 */
es_status es_take_over(uint64_t id);

/*
 * Timestep: times of frames go in, equal steps come out
 * -----------------------------------------------------
 */

/**
 * Creates a timestep that grants numer / denom steps a second, exactly: 60, 1 is 60 Hz, 60000, 1001 is the rate of NTSC
 * video.
 * Errors: NULL, RATIO, OBJECTS.
 */
es_status es_timestep_create(uint32_t numer,
                             uint32_t denom,
                             es_timestep *timestep);

/**
 * Destroys a timestep. Calls with it then return OBJECT.
 * Errors: OBJECT, THREAD.
 */
es_status es_timestep_destroy(es_timestep timestep);

/**
 * Begins a frame at a time of any clock, in nanoseconds. Call it once for each frame, run the steps that it returns,
 * and draw. The first frame sets the beginning of time and has no step. Since times are absolute, no rounding adds up.
 * A time that is up to a second earlier than the last frame counts as the last frame's.
 * Errors: NULL, OBJECT, THREAD, NEGATIVE; TIME_WENT_BACK if it is earlier by more, and then the next frame counts from the last.
 */
es_status es_timestep_begin_frame(es_timestep timestep,
                                  int64_t now,
                                  es_frame *frame);

/**
 * Begins a frame that is delta nanoseconds later than the last one, for programs that know only that. Before the first frame
 * the clock is at zero.
 * Errors: NULL, OBJECT, THREAD, NEGATIVE; RANGE if the sum of all deltas exceeds 292 years.
 */
es_status es_timestep_advance(es_timestep timestep,
                              int64_t delta,
                              es_frame *frame);

/**
 * Takes back the last unrun steps of this frame, for which the program had no time. The overrun policy decides about them.
 * Writes the resulting frame, which is the one to draw.
 * Errors: NULL, OBJECT, THREAD; ORDER before the first frame; RANGE if the frame has fewer steps.
 */
es_status es_timestep_give_back(es_timestep timestep,
                                uint32_t unrun,
                                es_frame *frame);

/**
 * Adds a filter for the time between frames after the existing filters; at most eight.
 * Errors: NULL, OBJECT, THREAD; ORDER after the first frame; FULL; RANGE, RATIO and NEGATIVE for its settings.
 */
es_status es_timestep_add_filter(es_timestep timestep,
                                 const es_filter *filter);

/**
 * Writes the refresh rate in hertz to which a display clock among the filters is locked. NONE while none is locked.
 * Errors: NULL, OBJECT, THREAD.
 */
es_status es_timestep_refresh_rate(es_timestep timestep,
                                   double *hertz);

/**
 * Writes the nanoseconds that clamps among the filters have cut off so far. The sum of this and of the times that frames report as
 * clamped, suspended, dropped and rounded is all time that did not reach the simulation.
 * Errors: NULL, OBJECT, THREAD.
 */
es_status es_timestep_filtered_out(es_timestep timestep,
                                   int64_t *nanoseconds);

/**
 * Sets the longest accepted time between two frames, in nanoseconds. Longer times are cut off and reported as clamped. Unless set, it is
 * 250 ms where time that does not fit is dropped, and has no limit where it is kept.
 * Errors: OBJECT, THREAD, NEGATIVE.
 */
es_status es_timestep_set_max_delta(es_timestep timestep,
                                    int64_t max_delta);

/**
 * Sets the most steps of a frame. Unless set, they are as many as fit into the longest accepted time if that is set, or
 * into 250 ms.
 * Errors: OBJECT, THREAD.
 */
es_status es_timestep_set_max_steps(es_timestep timestep,
                                    uint32_t max_steps);

/**
 * Unsets the most steps of a frame, so that as many are granted as fit into the longest accepted time.
 * Errors: OBJECT, THREAD.
 */
es_status es_timestep_unset_max_steps(es_timestep timestep);

/**
 * Drops steps that do not fit into a frame: the game slows down. This is the default.
 * Errors: OBJECT, THREAD.
 */
es_status es_timestep_set_overrun_drop(es_timestep timestep);

/**
 * Keeps steps that do not fit into a frame, up to a limit in nanoseconds of simulated time, and grants them in later frames that
 * have fewer steps than the most.
 * Errors: OBJECT, THREAD, NEGATIVE.
 */
es_status es_timestep_set_overrun_carry(es_timestep timestep,
                                        int64_t max_backlog);

/**
 * Keeps steps that do not fit into a frame, and lets simulated time run at most numer / denom times as fast until it has caught up.
 * Errors: OBJECT, THREAD, RATIO.
 */
es_status es_timestep_set_overrun_stretch(es_timestep timestep,
                                          uint32_t numer,
                                          uint32_t denom);

/**
 * Sets how fast simulated time runs: numer / denom seconds a second. 0, 1 is a pause, 1, 10 slow motion. The length of a step
 * never changes.
 * Errors: OBJECT, THREAD; RATIO if denom is 0.
 */
es_status es_timestep_set_time_scale(es_timestep timestep,
                                     uint32_t numer,
                                     uint32_t denom);

/**
 * Runs the simulation a step ahead: the blended state is then the present and not a step ago, but input acts a step later.
 * Errors: OBJECT, THREAD; ORDER after the first frame.
 */
es_status es_timestep_set_lookahead(es_timestep timestep);

/**
 * Grants one more step in the next frame without using up any time: for stepping through a pause.
 * Errors: OBJECT, THREAD.
 */
es_status es_timestep_step_once(es_timestep timestep);

/**
 * Begins a known pause, such as a level that loads: until es_timestep_resume, time is reported as suspended.
 * Errors: OBJECT, THREAD.
 */
es_status es_timestep_suspend(es_timestep timestep);

/**
 * Ends a known pause. The time until the next frame is its last.
 * Errors: OBJECT, THREAD.
 */
es_status es_timestep_resume(es_timestep timestep);

/**
 * Writes whether there is a known pause.
 * Errors: NULL, OBJECT, THREAD.
 */
es_status es_timestep_is_suspended(es_timestep timestep, bool *suspended);

/**
 * Drops the backlog after a pause that was noticed too late: the next frame drops steps that were kept back, and the time until
 * then counts as suspended.
 * Errors: OBJECT, THREAD.
 */
es_status es_timestep_resync(es_timestep timestep);

/**
 * Starts over at tick 0 with the same settings, filters and clock. Also retract the events that have not been presented yet, with
 * es_events_retract_from and tick 0: events of the new run would wait behind them.
 * Errors: OBJECT, THREAD.
 */
es_status es_timestep_reset(es_timestep timestep);

/**
 * Writes the nanoseconds of real time until the next step is due, for which a loop can sleep. NONE if no step will become due, as
 * in a pause. Zero after a resume or a resync: the next frame ends the pause, and should begin at once.
 * Errors: NULL, OBJECT, THREAD.
 */
es_status es_timestep_until_next_step(es_timestep timestep,
                                      int64_t *nanoseconds);

/**
 * Writes the simulated time that has arrived and has not been stepped yet.
 * Errors: NULL, OBJECT, THREAD; ORDER before the first frame.
 */
es_status es_timestep_overstep(es_timestep timestep, es_exact *time);

/**
 * Writes the simulated time of the newest state.
 * Errors: NULL, OBJECT, THREAD; ORDER before the first frame.
 */
es_status es_timestep_current_time(es_timestep timestep, es_exact *time);

/**
 * Writes the simulated time that the frame shows if it is blended at alpha. It never goes back.
 * Errors: NULL, OBJECT, THREAD; ORDER before the first frame.
 */
es_status es_timestep_drawn_time(es_timestep timestep, es_exact *time);

/**
 * Writes the simulated time that the frame shows if it is extrapolated.
 * Errors: NULL, OBJECT, THREAD; ORDER before the first frame.
 */
es_status es_timestep_extrapolated_time(es_timestep timestep, es_exact *time);

/**
 * Writes the simulated time that the last frame rounded away, because the time scale changed between fractions that have no
 * common denominator below 2^32.
 * Errors: NULL, OBJECT, THREAD; ORDER before the first frame.
 */
es_status es_timestep_rounded(es_timestep timestep,
                              es_exact *time);

/*
 * Smoothed: a number that is drawn between its last two states
 * ------------------------------------------------------------
 */

/**
 * Initialises a number that is drawn between its last two states. It is a plain struct and need not be destroyed. Call
 * es_smoothed_begin_step before each step, then assign to its current number in the step. wrap is the period of the number, such as
 * 360 for an angle in degrees or the width of a world that is left on one side and entered on the other; 0 if it does not wrap.
 * Errors: NULL; NOT_FINITE and RANGE if wrap is not a number from 0 on.
 */
es_status es_smoothed_init(double state,
                           double wrap,
                           es_smoothed *smoothed);

/**
 * Begins a step: the current number becomes the previous one.
 * Errors: NULL.
 */
es_status es_smoothed_begin_step(es_smoothed *smoothed);

/**
 * Marks the number as teleported in this step: it is drawn at its new value, not between.
 * Errors: NULL.
 */
es_status es_smoothed_teleport(es_smoothed *smoothed);

/**
 * Adds by to both numbers, when the origin of the world moves. This is not motion.
 * Errors: NULL.
 */
es_status es_smoothed_shift(es_smoothed *smoothed, double by);

/**
 * Returns the number to draw at a frame's alpha. A number that wraps is blended the shorter way, and the result may lie outside of
 * one period.
 */
double es_smoothed_at(es_smoothed smoothed,
                      double alpha);

/*
 * Poses: many bodies, drawn between their last two states
 * -------------------------------------------------------
 */

/**
 * Creates poses without rows, in 2 or 3 dimensions.
 * Errors: NULL, OBJECTS; RANGE for another number of dimensions.
 */
es_status es_poses_create(uint32_t dimensions, es_poses *poses);

/**
 * Destroys poses.
 * Errors: OBJECT, THREAD.
 */
es_status es_poses_destroy(es_poses poses);

/**
 * Writes how many rows there are.
 * Errors: NULL, OBJECT, THREAD.
 */
es_status es_poses_count(es_poses poses, size_t *rows);

/**
 * Adds a row for a body that is at rest in a state, and writes its number. This and es_poses_remove are the only functions of
 * poses that allocate.
 * Errors: NULL, OBJECT, THREAD, NOT_FINITE; SIZE if there are fewer floats than a row has.
 *
 * state is NULL or the address of floats floats.
 */
es_status es_poses_add(es_poses poses,
                       const float *state,
                       size_t floats,
                       size_t *row);

/**
 * Removes a row. The last one takes its number.
 * Errors: OBJECT, THREAD, MISSING.
 */
es_status es_poses_remove(es_poses poses, size_t row);

/**
 * Takes the states of all rows after a step. Call it once in each step. floats must be at least the number of rows times the floats
 * of a row.
 * Errors: NULL, OBJECT, THREAD, NOT_FINITE, SIZE.
 *
 * states is NULL or the address of floats floats.
 */
es_status es_poses_commit(es_poses poses,
                          const float *states,
                          size_t floats);

/**
 * Begins a step in which only the rows that move are set, with es_poses_set: for many bodies of which most rest.
 * Errors: OBJECT, THREAD.
 */
es_status es_poses_begin_step(es_poses poses);

/**
 * Takes the state of one row after the step that es_poses_begin_step began.
 * Errors: NULL, OBJECT, THREAD, MISSING, NOT_FINITE, SIZE.
 *
 * state is NULL or the address of floats floats.
 */
es_status es_poses_set(es_poses poses, size_t row, const float *state, size_t floats);

/**
 * Marks the next state of a row as a teleport: the body is drawn at its new pose only, not between. Call it before es_poses_commit
 * or es_poses_set.
 * Errors: OBJECT, THREAD, MISSING.
 */
es_status es_poses_teleport(es_poses poses,
                            size_t row);

/**
 * Moves both states of a row by 2 or 3 floats and keeps the motion between them, for when the origin of the world moves. The
 * program must shift its own array by the same offset.
 * Errors: NULL, OBJECT, THREAD, MISSING, NOT_FINITE, SIZE.
 *
 * by is NULL or the address of floats floats.
 */
es_status es_poses_shift(es_poses poses,
                         size_t row,
                         const float *by,
                         size_t floats);

/**
 * Writes the drawn poses of all rows at the alpha of the frame. Rotations take the shorter way. The array must not be one that
 * es_poses_commit reads at the same time.
 * Errors: NULL, OBJECT, THREAD, SIZE; NOT_FINITE if alpha is NaN.
 *
 * drawn is NULL or the address of floats floats.
 */
es_status es_poses_draw(es_poses poses,
                        double alpha,
                        float *drawn,
                        size_t floats);

/**
 * Like es_poses_draw, but writes matrices for instanced drawing, column by column: 3 columns of 2 floats for each row in the plane,
 * 4 columns of 4 in space.
 * Errors: NULL, OBJECT, THREAD, SIZE; NOT_FINITE if alpha is NaN.
 *
 * drawn is NULL or the address of floats floats.
 */
es_status es_poses_draw_matrices(es_poses poses,
                                 double alpha,
                                 float *drawn,
                                 size_t floats);

/*
 * Input: each event in exactly one step
 * -------------------------------------
 */

/**
 * Creates a buffer with room for capacity events between two steps, from 1 to 2^20. Presses, motion and turns of the wheel during
 * a pause, while simulated time stands still, reach no step. The states of keys are tracked during the pause: keys that were
 * released in it are up afterwards. Of events for which there is no room the states of keys are kept too, and motion is added up,
 * so no release is lost.
 * Errors: NULL, OBJECTS, RANGE.
 */
es_status es_input_create(uint32_t capacity,
                          es_input *input);

/**
 * Creates a buffer from which all events of a pause reach the first step after it. A full buffer accepts no event.
 * Errors: NULL, OBJECTS, RANGE.
 */
es_status es_input_create_lossless(uint32_t capacity,
                                   es_input *input);

/**
 * Destroys a buffer.
 * Errors: OBJECT, THREAD.
 */
es_status es_input_destroy(es_input input);

/**
 * Records that a key or button went down. The program numbers its keys. Times are in nanoseconds on the same clock as those passed
 * to es_timestep_begin_frame. While a key is held, another press is a repetition and is ignored.
 * Errors: OBJECT, THREAD, NEGATIVE; FULL, like all events below, if a buffer of es_input_create_lossless is full, or if another
 * buffer is full and 1024 other keys have changed meanwhile.
 */
es_status es_input_press(es_input input,
                         uint32_t key,
                         int64_t time);

/**
 * Records that a key or button went up.
 * Errors: OBJECT, THREAD, NEGATIVE, FULL.
 */
es_status es_input_release(es_input input, uint32_t key, int64_t time);

/**
 * Records that all held keys and buttons went up, as when a window loses the focus and no longer receives their releases.
 * Errors: OBJECT, THREAD, NEGATIVE, FULL.
 */
es_status es_input_release_all(es_input input,
                               int64_t time);

/**
 * Records that a pointer moved by x to the right and y down, in the device's units.
 * Errors: OBJECT, THREAD, NEGATIVE, NOT_FINITE, FULL.
 */
es_status es_input_motion(es_input input, double x, double y, int64_t time);

/**
 * Records that the wheel was turned by x and y lines; the scrolled content moves to the right and down.
 * Errors: OBJECT, THREAD, NEGATIVE, NOT_FINITE, FULL.
 */
es_status es_input_wheel(es_input input, double x, double y, int64_t time);

/**
 * Assigns a step to each event up to the end of the timestep's last frame. Call it once a frame, between es_timestep_begin_frame
 * and the frame's steps. If a filter may lead the clock, events act later by its largest lead.
 * Errors: OBJECT, THREAD; ORDER before the timestep's first frame, and a second time for the same frame.
 */
es_status es_input_begin_frame(es_input input,
                               es_timestep timestep);

/**
 * Does the same for a task of a schedule. Each task that takes input needs a buffer of its own.
 * Errors: OBJECT, THREAD, MISSING; ORDER as of es_input_begin_frame.
 */
es_status es_input_begin_task(es_input input, es_schedule schedule, uint32_t task);

/**
 * Begins a step and takes its events. The functions below then describe this step.
 * Errors: OBJECT, THREAD; ORDER before es_input_begin_frame.
 */
es_status es_input_begin_step(es_input input, uint64_t tick);

/**
 * Writes an event of this step, from index 0, the oldest. NONE beyond the last.
 * Errors: NULL, OBJECT, THREAD.
 */
es_status es_input_event_at(es_input input, size_t index, es_event *event);

/**
 * Writes whether a key is down at the end of the step.
 * Errors: NULL, OBJECT, THREAD.
 */
es_status es_input_is_held(es_input input, uint32_t key, bool *held);

/**
 * Writes whether a key is down at the end of the step or went down in it. Use it for a control that acts as long as it is held: a tap
 * shorter than a step then acts in one step.
 * Errors: NULL, OBJECT, THREAD.
 */
es_status es_input_is_down(es_input input,
                           uint32_t key,
                           bool *down);

/**
 * Writes how often a key went down in the step. A tap that is shorter than a step is counted exactly once.
 * Errors: NULL, OBJECT, THREAD.
 */
es_status es_input_presses(es_input input, uint32_t key, uint32_t *presses);

/**
 * Writes whether a key went up in the step, also if it is down again.
 * Errors: NULL, OBJECT, THREAD.
 */
es_status es_input_was_released(es_input input, uint32_t key, bool *released);

/**
 * Writes by how much the pointer moved to the right and down in the step. The sum over all steps is the motion that arrived.
 * Errors: NULL, OBJECT, THREAD.
 */
es_status es_input_moved(es_input input,
                         double *x,
                         double *y);

/**
 * Writes by how much the wheel turned in the step.
 * Errors: NULL, OBJECT, THREAD.
 */
es_status es_input_turned(es_input input, double *x, double *y);

/**
 * Writes how many events wait for their step, and how many were late, out of order or refused.
 * Errors: NULL, OBJECT, THREAD.
 */
es_status es_input_counts(es_input input, es_input_counted *counts);

/*
 * Events: sounds and flashes, when they are shown
 * -----------------------------------------------
 */

/**
 * Creates a queue with room for capacity events, from 1 to 2^20. A full queue drops the event that has waited longest, or the
 * new one if drop_newest is not 0.
 * Errors: NULL, OBJECTS, RANGE.
 */
es_status es_events_create(uint32_t capacity,
                           uint32_t drop_newest,
                           es_events *events);

/**
 * Destroys a queue.
 * Errors: OBJECT, THREAD.
 */
es_status es_events_destroy(es_events events);

/**
 * Emits an event in the step of a tick of the timestep. The event is any number of the program's choice. Emit events in the order
 * of their steps.
 * Errors: OBJECT, THREAD; FULL if an event had to be dropped, the oldest or this one as the queue was created.
 */
es_status es_events_emit(es_events events,
                         es_timestep timestep,
                         uint64_t tick,
                         uint64_t event);

/**
 * Writes the next event that the timestep's last frame shows, with the tick that emitted it. NONE if this frame shows no more
 * events. seen is how the frame is drawn: ES_SEEN_BLENDED, ES_SEEN_EXTRAPOLATED or ES_SEEN_AT_ONCE.
 * Errors: NULL, OBJECT, THREAD, RANGE; ORDER before the timestep's first frame.
 */
es_status es_events_next(es_events events,
                         es_timestep timestep,
                         uint32_t seen,
                         uint64_t *tick,
                         uint64_t *event);

/**
 * Retracts the events of a tick and of all later ones, because these steps will be simulated again.
 * Errors: OBJECT, THREAD.
 */
es_status es_events_retract_from(es_events events, uint64_t tick);

/**
 * Writes how many events wait to be presented, and how many were dropped so far.
 * Errors: NULL, OBJECT, THREAD.
 */
es_status es_events_counts(es_events events, uint64_t *waiting, uint64_t *dropped);

/*
 * Schedule: several rates in one order
 * ------------------------------------
 */

/**
 * Creates a schedule without tasks.
 * Errors: NULL, OBJECTS.
 */
es_status es_schedule_create(es_schedule *schedule);

/**
 * Destroys a schedule.
 * Errors: OBJECT, THREAD.
 */
es_status es_schedule_destroy(es_schedule schedule);

/**
 * Adds a task of numer / denom steps a second, whose steps end phase nanoseconds later than without a phase. Writes its number: 0,
 * 1, 2 and so on. At most 1024 tasks.
 * Errors: NULL, OBJECT, THREAD, RATIO, NEGATIVE, FULL.
 */
es_status es_schedule_add(es_schedule schedule,
                          uint32_t numer,
                          uint32_t denom,
                          int64_t phase,
                          uint32_t *task);

/**
 * Begins a frame at a time of any clock, in nanoseconds, like es_timestep_begin_frame. Writes the time that was lost.
 * Errors: NULL, OBJECT, THREAD, NEGATIVE, TIME_WENT_BACK.
 */
es_status es_schedule_begin_frame(es_schedule schedule,
                                  int64_t now,
                                  es_schedule_lost *lost);

/**
 * Begins a frame that is delta nanoseconds later than the last one.
 * Errors: NULL, OBJECT, THREAD, NEGATIVE, RANGE.
 */
es_status es_schedule_advance(es_schedule schedule, int64_t delta, es_schedule_lost *lost);

/**
 * Writes the next step that is due. NONE when all have run. Run the step before the next call.
 * Errors: NULL, OBJECT, THREAD.
 */
es_status es_schedule_next_step(es_schedule schedule, es_task_step *step);

/**
 * Takes back the step that es_schedule_next_step wrote last: it stays due, and is returned again next.
 * Errors: OBJECT, THREAD; ORDER if there was none since the frame began.
 */
es_status es_schedule_refuse(es_schedule schedule);

/**
 * Writes where to draw a task between its previous state (0) and its current state (1).
 * Errors: NULL, OBJECT, THREAD, MISSING.
 */
es_status es_schedule_alpha(es_schedule schedule, uint32_t task, double *alpha);

/**
 * Writes the tick of a task's next step.
 * Errors: NULL, OBJECT, THREAD, MISSING.
 */
es_status es_schedule_tick(es_schedule schedule, uint32_t task, uint64_t *tick);

/**
 * Writes the simulated time that has arrived.
 * Errors: NULL, OBJECT, THREAD.
 */
es_status es_schedule_now(es_schedule schedule, es_exact *time);

/**
 * Writes whether time is kept back for later frames.
 * Errors: NULL, OBJECT, THREAD.
 */
es_status es_schedule_is_behind(es_schedule schedule, bool *behind);

/**
 * Writes the nanoseconds of real time until the next step is due. NONE if no step will become due, as in a pause. Zero after a
 * resume.
 * Errors: NULL, OBJECT, THREAD.
 */
es_status es_schedule_until_next_step(es_schedule schedule,
                                      int64_t *nanoseconds);

/**
 * Adds a filter, like es_timestep_add_filter.
 * Errors: NULL, OBJECT, THREAD, ORDER, FULL, RANGE, RATIO, NEGATIVE.
 */
es_status es_schedule_add_filter(es_schedule schedule, const es_filter *filter);

/**
 * Sets the longest accepted time between two frames, in nanoseconds. Unless set, it is 250 ms where time that does not fit is dropped,
 * and has no limit where it is kept.
 * Errors: OBJECT, THREAD, NEGATIVE.
 */
es_status es_schedule_set_max_delta(es_schedule schedule,
                                    int64_t max_delta);

/**
 * Sets how long the oldest step that is due may wait, in nanoseconds of simulated time; 250 ms unless set. Time beyond that
 * follows the overrun policy.
 * Errors: OBJECT, THREAD, NEGATIVE.
 */
es_status es_schedule_set_max_behind(es_schedule schedule,
                                     int64_t max_behind);

/**
 * Sets the most simulated time that arrives in a frame, in nanoseconds; unlimited unless set.
 * Errors: OBJECT, THREAD, NEGATIVE.
 */
es_status es_schedule_set_max_advance(es_schedule schedule, int64_t max_advance);

/**
 * Drops time that does not fit, like es_timestep_set_overrun_drop.
 * Errors: OBJECT, THREAD.
 */
es_status es_schedule_set_overrun_drop(es_schedule schedule);

/**
 * Keeps time that does not fit, like es_timestep_set_overrun_carry.
 * Errors: OBJECT, THREAD, NEGATIVE.
 */
es_status es_schedule_set_overrun_carry(es_schedule schedule, int64_t max_backlog);

/**
 * Keeps time that does not fit and catches up at a limited speed, like es_timestep_set_overrun_stretch.
 * Errors: OBJECT, THREAD, RATIO.
 */
es_status es_schedule_set_overrun_stretch(es_schedule schedule, uint32_t numer, uint32_t denom);

/**
 * Sets how fast simulated time runs, like es_timestep_set_time_scale.
 * Errors: OBJECT, THREAD, RATIO.
 */
es_status es_schedule_set_time_scale(es_schedule schedule, uint32_t numer, uint32_t denom);

/**
 * Begins a known pause, like es_timestep_suspend. Steps that are due stay due.
 * Errors: OBJECT, THREAD.
 */
es_status es_schedule_suspend(es_schedule schedule);

/**
 * Ends a known pause. The time until the next frame is its last.
 * Errors: OBJECT, THREAD.
 */
es_status es_schedule_resume(es_schedule schedule);

/**
 * Starts over at time zero with the same tasks, settings and clock.
 * Errors: OBJECT, THREAD.
 */
es_status es_schedule_reset(es_schedule schedule);

/*
 * Statistics of the last 240 frames
 * ---------------------------------
 */

/**
 * Creates statistics without frames.
 * Errors: NULL, OBJECTS.
 */
es_status es_stats_create(es_stats *stats);

/**
 * Destroys statistics.
 * Errors: OBJECT, THREAD.
 */
es_status es_stats_destroy(es_stats stats);

/**
 * Records the timestep's last frame. Call it once a frame, after steps were given back.
 * Errors: OBJECT, THREAD; ORDER before the timestep's first frame, and a second time for the same frame.
 */
es_status es_stats_record(es_stats stats, es_timestep timestep);

/**
 * Writes a percentile of the last frame times, in nanoseconds. NONE before the first frame.
 * Errors: NULL, OBJECT, THREAD, NOT_FINITE; RANGE beyond 0 to 100.
 */
es_status es_stats_frame_time(es_stats stats, double percent, int64_t *nanoseconds);

/**
 * Writes all statistics. It sorts the frame times, so call it only when the report is shown.
 * Errors: NULL, OBJECT, THREAD.
 */
es_status es_stats_report(es_stats stats, es_report *report);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* EVENSTEP_H */
