// The page's only animation loop: tells every visible, playing figure how much time has passed.

export interface Animated {
  /** Whether it wants to get frames. */
  readonly running: boolean;
  /** A frame: milliseconds since the last one, and the time at which the browser says that it began. */
  frame(delta: number, began: number): void;
  /** Its frame threw an error. It must not ask for frames until it is restarted. */
  fail(error: unknown): void;
}

const all: Animated[] = [];
let last: number | undefined;

/** Adds a figure to the loop. */
export function animate(figure: Animated): void {
  all.push(figure);
  if (all.length === 1) requestAnimationFrame(tick);
}

function tick(now: number): void {
  // First of all, so that nothing below can end the loop.
  requestAnimationFrame(tick);
  const delta = last === undefined ? 0 : now - last;
  last = now;
  for (const figure of all) {
    if (!figure.running) continue;
    try {
      figure.frame(delta, now);
    } catch (error) {
      figure.fail(error);
    }
  }
}

// Time while the page is hidden does not count for the figures.
document.addEventListener("visibilitychange", () => (last = undefined));
