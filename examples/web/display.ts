// Imitated displays with any refresh rate, so that four can be compared side by side.

/** A display's `requestAnimationFrame`: calls back at the display's rate, with times that are as uneven as real ones. */
export class Display {
  #callback: ((now: number) => void) | undefined;
  #frame = 0;
  #random: number;

  constructor(
    readonly hz: number,
    readonly jitter: number,
  ) {
    this.#random = hz;
  }

  requestAnimationFrame(callback: (now: number) => void): void {
    this.#callback = callback;
  }

  /** Shows the frames of the display that are due after `milliseconds`. */
  pass(milliseconds: number): void {
    const interval = 1000 / this.hz;
    while (this.#callback !== undefined && this.#frame * interval <= milliseconds) {
      const callback = this.#callback;
      this.#callback = undefined;
      this.#random = (this.#random * 48271) % 2147483647; // Park and Miller's generator: the same times in every visit
      callback((this.#frame + (this.#random / 2147483647) * this.jitter) * interval);
      this.#frame++;
    }
  }
}
