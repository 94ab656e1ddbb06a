/*
 * evenstep: equal steps and smooth drawing for games and simulations. This header is the manual.
 *
 * A game whose step follows the display plays differently on every machine. Tell evenstep what time it is, run the equal steps
 * that it answers with, and draw between the last two states:
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
 * Objects are small values, as es_timestep above. Pass them around and copy them; all copies are the same object. An object
 * whose id is 0 is none. Destroy each once.
 *
 * Times are nanoseconds, int64_t, never negative. Rates and time scales are two uint32_t, numerator and denominator, so 59.94 Hz
 * is 5994, 100 and exact. Nothing reads a clock, nothing calls back, nothing is printed.
 *
 * Errors: nearly every function answers an es_status: ES_STATUS_OK, or below zero an error of those that its description names
 * without their ES_STATUS_, or FAULT, which is a mistake of ours. After an error nothing has changed and nothing was written, and
 * what was to be handed in can be handed in again. es_status_text says it in words. A pointer must be NULL, which is an error, or
 * the address of what its type says, and an array as long as its count says; there is no other way to do harm.
 *
 * Threads: an object belongs to the thread that created it; another one gets the error THREAD until es_hand_over and
 * es_take_over. Different threads use different objects freely, without locks.
 *
 * Memory: creating, adding rows and adding tasks allocates. A frame does not, once buffers have grown to what they hold.
 *
 * Cost: a frame in which only time passes takes under 200 instructions, the call included.
 *
 * What there is, in this order: constants; errors and exact times; the types; then the functions of each object under a heading of
 * their own: threads, timestep, poses, input, events, schedule, statistics, refresh grid, pacer. Timestep, poses and input are enough
 * for most games.
 *
 * MIT or Apache-2.0, at your option. Made from Rust sources by cbindgen; do not edit.
 */
