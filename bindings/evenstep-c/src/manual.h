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
