// What a program in TypeScript may write, and what it may not. It is compiled, not run.

import { type DeltaFilter, DisplayClock, FixedTimestep, type Frame, InputBuffer, Smoothed, type Time, loop } from "evenstep";
import { EventQueue } from "evenstep/events";
import { type Pointer, Pointers } from "evenstep/pointers";
import { Poses3 } from "evenstep/poses";
import { type FrameRecording, recordFrames } from "evenstep/recording";

const filter: DeltaFilter = new DisplayClock();
const timestep = new FixedTimestep([60_000, 1001], { filter, overrun: { stretch: 2 }, maxSteps: 8 });
const now: Time = 12n;
const frame: Frame = timestep.beginFrame(now);
let seconds = 0;
for (const step of frame) seconds += step.dt * step.tick;

const lost: bigint = frame.lost.clamped;
const queue = new EventQueue<{ sound: string }>(timestep);
queue.emit(0, { sound: String(lost) });
for (const { event } of queue.seen()) event.sound.at(seconds);

const recording: FrameRecording = recordFrames({ most: 600 });
recording.toString().at(recording.frames);

const poses = new Poses3();
const drawn: Float32Array = poses.draw(frame.alpha);
drawn.at(-1);
class Row extends Float32Array {}
const row: Row = poses.drawMatrices(frame.alpha, poses.draw(frame.alpha, new Row(16)));
row.at(0);
for (const event of new InputBuffer().events()) if (event.kind === "press") event.key.toString();

interface Ship {
  x: number;
  heading: number;
}
const ship: Smoothed<Ship> = new Smoothed({ x: 0, heading: 0 }, { wrap: { heading: 2 * Math.PI } });
ship.current.x += 2 * frame.dt;
ship.shift({ x: -1000 });
const heading: number = ship.at(frame.alpha).heading;
const height: Smoothed<number> = new Smoothed(2);
height.current = heading;
height.step((height) => height + heading);
ship.step((ship) => (ship.x += 2 * frame.dt));
// @ts-expect-error: the new number is returned
height.step((height) => void (height + 2));
const place: Smoothed<[number, number]> = new Smoothed<[number, number]>([1, 2], { wrap: [800, 0] });
place.set([3, 4]);

place.step(([x, y]) => [x + 1, y]);
ship.step(({ x, heading }) => ({ x: x + 1, heading }));
ship.step(({ x }) => ({ x: x + 1 }));
const rows: Smoothed<Float32Array> = new Smoothed(new Float32Array(3), { wrap: [0, 0, 360] });
rows.step((rows) => rows.map((row) => row + 1));
rows.step((rows) => void (rows[0] = 2));
rows.shift([1, 2, 3]);
rows.at(0.5).subarray(1);
// @ts-expect-error: a step is not async
ship.step(async (ship) => void (ship.x += 1));
// @ts-expect-error: the state has no such number
ship.step(() => ({ name: "ship" }));
// @ts-expect-error: a date is no state
new Smoothed(new Date());

const game = loop({ rate: [60_000, 1001], step: (dt, input) => void (input.isDown("Space") && dt), draw: (alpha) => void ship.at(alpha) });
game.timestep.setTimeScale(0.5);

loop({ step: () => frame, draw: () => 5, begin: (input) => input.press("GamepadA"), maxFps: 60, requestFrame: (callback) => callback(5) });
game.fps.toFixed();
const pointers: readonly Pointer[] = new Pointers(game.timestep, { addEventListener() {} }).of(5);
// @ts-expect-error: a place is the user's to make
pointers[0]!.x = 5;
// @ts-expect-error: a step is not async
loop({ step: async () => {}, draw() {} });
// @ts-expect-error: a step is not async
loop({ async step() {}, draw() {} });
// @ts-expect-error: a step returns no promise
loop({ step: () => Promise.resolve(), draw() {} });
// @ts-expect-error: nothing waits for what is drawn
loop({ step() {}, draw: async () => {} });

// @ts-expect-error: a loop draws
loop({ step() {} });
// @ts-expect-error: there is no such number
new Smoothed({ x: 0 }, { wrap: { y: 360 } });
// @ts-expect-error: a name is no number
new Smoothed({ name: "ship" });
// @ts-expect-error: a string is no time
timestep.beginFrame("16");
// @ts-expect-error: the frame's numbers are not the program's to change
frame.tick = 3;
// @ts-expect-error: frames come from a timestep
new Frame();
// @ts-expect-error: a filter has a residual
const wrong: DeltaFilter = { apply: (delta: number) => delta };
// @ts-expect-error: an event of another type
queue.emit(0, wrong);

// @ts-expect-error a state is a number, or an object or array of numbers
new Smoothed("x");
