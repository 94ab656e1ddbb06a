// A page that a test owns, for Node.js.

/** What a loop needs of a page; refreshes and events come when the test says so. */
export class Page extends EventTarget {
  now = 0;
  hidden = false;
  reduces = false;
  #callbacks = new Map();
  #last = 0;

  constructor() {
    super();
    const page = this;
    globalThis.window = this;
    globalThis.document = new (class extends EventTarget {
      get hidden() {
        return page.hidden;
      }
    })();
    globalThis.matchMedia = () => ({
      get matches() {
        return page.reduces;
      },
    });
    globalThis.requestAnimationFrame = (callback) => {
      this.#callbacks.set(++this.#last, callback);
      return this.#last;
    };
    globalThis.cancelAnimationFrame = (id) => this.#callbacks.delete(id);
  }

  get waiting() {
    return this.#callbacks.size;
  }

  play(rate, seconds) {
    const begin = this.now;
    for (let index = 1; index <= rate * seconds; index++) this.refresh(begin + (index * 1000) / rate);
  }

  refresh(now) {
    this.now = now;
    const running = this.#callbacks;
    this.#callbacks = new Map();
    for (const callback of running.values()) callback(now);
  }

  /** Dispatches an event, on an element of the page that `path` names. Returns whether the page may still act on it. */
  happen(name, data = {}, path) {
    const buttons = name === "pointerdown" ? [1, 4, 2, 8, 16, 32][data.button] : 0;
    const event = Object.assign(new Event(name, { cancelable: true }), { buttons }, data);
    Object.defineProperty(event, "timeStamp", { value: this.now });
    if (path) event.composedPath = () => path;
    return this.dispatchEvent(event);
  }

  hide(hidden) {
    this.hidden = hidden;
    document.dispatchEvent(new Event("visibilitychange"));
  }
}
