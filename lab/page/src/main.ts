import "./style.css";
import { compiled, isLab } from "./compiled";
import { element, type Figure } from "./figure";
import { Loops } from "./figures/loops";
import { findUnknown, problems } from "./link";
import loadCore from "./wasm/core/core";

type Load = () => Promise<unknown>;

/** Loads a module once for all of its figures. */
function once(load: Load): Load {
  let loaded: Promise<unknown> | undefined;
  return () => (loaded ??= load());
}

const core = once(() => loadCore());
const physics = once(async () => {
  await compiled("physics");
  return (await import("./wasm/physics/physics")).default();
});
const peers = once(async () => {
  await compiled("peers");
  return (await import("./wasm/peers/peers")).default();
});

/** For a figure without WebAssembly of ours. */
const nothing: Load = async () => {};

type Made = new (place: HTMLElement) => Figure;

/** The figures, each with the module of its simulation. The first is at hand; the code of the others comes when they come near. */
const figures: Record<string, [code: () => Made | Promise<Made>, load: Load]> = {
  loops: [() => Loops, core],
  accumulator: [async () => (await import("./figures/accumulator")).Accumulator, core],
  "two-blocks": [async () => (await import("./figures/two_blocks")).TwoBlocks, physics],
  spiral: [async () => (await import("./figures/spiral")).Spiral, core],
  blocks: [async () => (await import("./figures/blocks")).Blocks, physics],
  hockey: [async () => (await import("./figures/hockey")).Hockey, core],
  rates: [async () => (await import("./figures/rates")).Rates, core],
  scroll: [async () => (await import("./figures/scroll")).Scroll, core],
  snooker: [async () => (await import("./figures/snooker")).Snooker, physics],
  display: [async () => (await import("./figures/display")).Display, core],
  peers: [async () => (await import("./figures/peers")).Peers, peers],
  forces: [async () => (await import("./figures/forces")).Forces, nothing],
  state: [async () => (await import("./figures/state")).State, nothing],
};

/** Whether the browser runs WebAssembly. Some do not, or only on sites that their user trusts. */
const hasWasm = "WebAssembly" in globalThis;

/** The names of the figures that have not started yet. */
const pending = new Set(Object.keys(figures));

/** Whether the reader has moved on the page. */
let hasMoved = false;
for (const kind of ["wheel", "touchmove", "keydown", "pointerdown"]) {
  addEventListener(kind, () => (hasMoved = true), { once: true, passive: true });
}

/** Says above the article what is wrong with the settings in the address. */
function sayProblems(): void {
  findUnknown([...pending]);
  const notice = document.getElementById("notice")!;
  notice.append(...problems.splice(0).map((problem) => element("p", "", `This link could not be read in full: ${problem}`)));
  notice.hidden = notice.childElementCount === 0;
}

async function start(place: HTMLElement): Promise<void> {
  const name = place.dataset.figure!;
  const [code, load] = figures[name]!;
  try {
    if (isLab && load !== core) {
      const waiting = element("p", "trouble", "The simulation of this figure is compiling. It appears here when it is ready.");
      waiting.setAttribute("role", "status");
      place.prepend(waiting);
      await load().finally(() => waiting.remove());
    }
    const [Made] = await Promise.all([code(), load()]);
    new Made(place).start();
    performance.mark("figures-run");
    pending.delete(name);
    sayProblems();
  } catch (error) {
    reportError(error);
    const why = hasWasm ? `(${String(error)}). Reload the page to try again.` : "because this browser runs no WebAssembly.";
    const trouble = element("p", "trouble", `This figure could not be loaded ${why}`);
    trouble.setAttribute("role", "alert");
    place.prepend(trouble);
  }
  // Figures above the section of the address have grown.
  if (!hasMoved) document.getElementById(location.hash.slice(1))?.scrollIntoView({ behavior: "instant" });
}

/** Starts a figure when it comes near. */
function startWhenNear(place: HTMLElement): void {
  const near = new IntersectionObserver(
    (changes) => {
      if (!changes.some((change) => change.isIntersecting)) return;
      near.disconnect();
      void start(place);
    },
    { rootMargin: "1200px" },
  );
  near.observe(place);
}

const places = [...document.querySelectorAll<HTMLElement>("figure[data-figure]")];
const [first, ...others] = places;
await start(first!);
// Those that the address has settings for start at once, so that it is said what could not be read.
const isNamed = (place: HTMLElement) => location.search.includes(`${place.dataset.figure}.`) && figures[place.dataset.figure!]![1] === core;
await Promise.all(others.filter(isNamed).map(start));
others.filter((place) => !isNamed(place)).forEach(startWhenNear);
