// Runs the conformance script: settings, times of frames and exact answers, which the Rust core has made.

import { DisplayClock, FixedTimestep, InputBuffer, Smoothed } from "evenstep";
import { PlaybackClock, RefreshClock } from "evenstep/follow";

const bits = new DataView(new ArrayBuffer(8));

function hex(alpha) {
  bits.setFloat64(0, alpha);
  return bits.getBigUint64(0).toString(16);
}

function exact({ seconds, numerator, denominator }) {
  return `${seconds}+${numerator.toString(16)}/${denominator.toString(16)}`;
}

function answer(timestep, frame) {
  const { clamped, paused, dropped } = frame.lost;
  const counts = [frame.firstTick, frame.tick, frame.singleSteps, hex(frame.alpha), clamped, paused, dropped];
  const times = [timestep.overstep, timestep.drawnTime].map(exact);
  return ["=", ...counts, Number(frame.isBehind), ...times].join(" ");
}

/** The settings of a timestep that are fixed from the beginning: the lines behind its own. */
function options(lines) {
  const found = {};
  for (const [name] of lines.map((line) => line.split(" "))) {
    if (name === "lookahead") found.lookahead = true;
    else if (name === "filter") found.filter = new DisplayClock();
    else break;
  }
  return found;
}

const settings = {
  max_delta: (timestep, delta) => timestep.setMaxDelta(BigInt(delta)),
  max_steps: (timestep, steps) => timestep.setMaxSteps(Number(steps)),
  unset_max_steps: (timestep) => timestep.setMaxSteps(undefined),
  drop: (timestep) => timestep.setOverrun("drop"),
  carry: (timestep, backlog) => timestep.setOverrun({ carry: BigInt(backlog) }),
  stretch: (timestep, a, b) => timestep.setOverrun({ stretch: [Number(a), Number(b)] }),
  scale: (timestep, a, b) => timestep.setTimeScale([Number(a), Number(b)]),
  step_once: (timestep) => timestep.stepOnce(),
  pause: (timestep) => timestep.pause(),
  resume: (timestep) => timestep.resume(),
  resume_dropping: (timestep) => timestep.resumeDropping(),
  reset: (timestep) => timestep.reset(),
};

const frames = {
  is_paused: (timestep) => `= ${Number(timestep.isPaused)}`,
  backward_frames: (timestep) => `= ${timestep.backwardFrames}`,
  frame: (timestep, now) => answer(timestep, timestep.beginFrame(BigInt(now))),
  give_back: (timestep, unrun) => answer(timestep, timestep.giveBack(Number(unrun))),
};

const inputs = {
  press: (input, key) => input.press(Number(key)),
  release: (input, key) => input.release(Number(key)),
  release_all: (input) => input.releaseAll(),
  motion: (input, x, y) => input.motion(Number(x), Number(y)),
  wheel: (input, x, y) => input.wheel(Number(x), Number(y)),
  press_at: (input, at, key) => input.pressAt(BigInt(at), Number(key)),
  release_at: (input, at, key) => input.releaseAt(BigInt(at), Number(key)),
  release_all_at: (input, at) => input.releaseAllAt(BigInt(at)),
  motion_at: (input, at, x, y) => input.motionAt(BigInt(at), Number(x), Number(y)),
  wheel_at: (input, at, x, y) => input.wheelAt(BigInt(at), Number(x), Number(y)),
};

function play(timestep, input, now) {
  const frame = timestep.beginFrame(BigInt(now));
  input.beginFrame(timestep);
  const { waiting, late, reordered, refused, paused, foreign } = input.counts;
  const seen = ["=", waiting, late, reordered, refused, paused, foreign];
  for (const step of frame) {
    input.beginStep(step);
    const flags = (key) => Number(input.isHeldAtEnd(key)) + 2 * Number(input.isDown(key)) + 4 * Number(input.wasReleased(key));
    const keys = [1, 2, 3].map((key) => 10 * input.presses(key) + flags(key));
    seen.push(step.tick, ...keys, ...[input.movedX, input.movedY, input.turnedX, input.turnedY].map(hex));
  }
  return seen.join(" ");
}

function double(text) {
  bits.setBigInt64(0, BigInt(text));
  return bits.getFloat64(0);
}

const smoothing = {
  smoothed_step: (smoothed, state) => smoothed.step(() => state),
  smoothed_previous: (smoothed, state) => smoothed.setPrevious(state),
  smoothed_teleport: (smoothed) => smoothed.teleport(),
  smoothed_shift: (smoothed, by) => smoothed.shift(by),
  smoothed_at: (smoothed, alpha) => `= ${hex(smoothed.at(alpha))} ${Number(smoothed.isTeleport)}`,
};

const nanos = (milliseconds) => Math.round(milliseconds * 1e6);

const following = {
  follow_latency: (clock, latency) => clock.setLatency(BigInt(latency)),
  follow_rate: (clock, a, b) => clock.setPlaybackRate([Number(a), Number(b)]),
  follow_loop: (clock, start, end) => clock.setLoopPoints(BigInt(start), BigInt(end)),
  follow_pause: (clock) => clock.pause(),
  follow_resume: (clock) => clock.resume(),
  follow_report: (clock, at, position) => clock.report({ at: BigInt(at), position: BigInt(position) }),
  follow_frame(clock, now) {
    const time = clock.beginFrame(BigInt(now));
    return ["=", nanos(time), nanos(clock.position ?? 0), clock.speed * 2 ** 24, Number(clock.isFollowing)].join(" ");
  },
  follow_at: (clock, at) => `= ${nanos(clock.timeAt(BigInt(at)))} ${nanos(clock.positionAt?.(BigInt(at)) ?? 0)}`,
};

/** Runs the script, and throws where an answer differs by a digit. Answers with how many there were. */
export function conform(text) {
  const lines = text.split("\n");
  let timestep, input, smoothed, clock, got;
  let answers = 0;
  for (const [at, line] of lines.entries()) {
    if (line === "" || line.startsWith("#")) continue;
    const [name, ...numbers] = line.split(" ");
    if (name === "=") {
      if (got !== line) throw new Error(`conformance.txt:${at + 1}: ${lines[at - 1]}: expected\n${line}\nbut got\n${got}`);
      answers++;
    } else if (name === "timestep") {
      timestep = new FixedTimestep(numbers.map(Number), options(lines.slice(at + 1, at + 3)));
    } else if (name === "smoothed") {
      const [state, wrap] = numbers.map(double);
      smoothed = new Smoothed(state, { wrap });
    } else if (name === "playback") {
      clock = new PlaybackClock();
    } else if (name === "refresh") {
      clock = new RefreshClock(numbers.map(Number));
    } else if (name in following) {
      got = following[name](clock, ...numbers);
    } else if (name in smoothing) {
      got = smoothing[name](smoothed, ...numbers.map(double));
    } else if (name in frames) {
      got = frames[name](timestep, ...numbers);
    } else if (name === "input") {
      input = new InputBuffer(Number(numbers[0]), { keepPauses: numbers[1] === "1" });
    } else if (name === "play") {
      got = play(timestep, input, ...numbers);
    } else if (name in inputs) {
      inputs[name](input, ...numbers);
    } else if (name !== "lookahead" && name !== "filter") {
      settings[name](timestep, ...numbers);
    }
  }
  return answers;
}
