// The common part of all figures: a stage, numbers, controls, play, restart, and settings in the address.

import { Canvas } from "./canvas";
import { leadTo, linkTo, read, write } from "./link";
import type { Setting, Value } from "./settings";

const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

/** All figures. The page's only animation loop gives frames to those that are visible and play. */
const all: Figure[] = [];
let last: number | undefined;

function tick(now: number): void {
  // First of all, so that nothing below can end the loop.
  requestAnimationFrame(tick);
  const delta = last === undefined ? 0 : now - last;
  last = now;
  for (const figure of all) if (figure.running) figure.frame(delta, now);
}

requestAnimationFrame(tick);
// Time while the page is hidden does not count for the figures.
document.addEventListener("visibilitychange", () => (last = undefined));

/** A figure with its simulation in WebAssembly. */
export abstract class Figure<Simulation extends { free(): void } = { free(): void }> {
  protected simulation!: Simulation;
  private readonly values = new Map<string, Value>();
  private readonly showControl = new Map<string, () => void>();
  private readonly numbers = new Map<string, HTMLElement>();
  private readonly canvases: Canvas[] = [];
  private readonly list = element("dl", "numbers");
  private readonly play = button("Pause", () => this.setPlaying(!this.playing));
  private readonly trouble = element("p", "trouble");
  private readonly shared = element("p", "shared");
  private playing = !reducedMotion.matches;
  /** Whether a frame was shown: before that, there is nothing to measure. */
  protected hasBegun = false;
  /** Whether it is on the screen, or nearly so. */
  protected seen = false;

  protected readonly stage = element("div", "stage");
  protected readonly controls = element("div", "controls");
  protected readonly actions = element("div", "actions");

  constructor(
    protected readonly root: HTMLElement,
    private readonly settings: Setting[],
  ) {
    for (const setting of settings) {
      this.values.set(setting.key, read(this.name, setting));
      this.addControl(setting);
    }
    this.actions.append(
      this.play,
      button("Restart", () => this.startOver()),
      button("Defaults", () => this.setDefaults()),
      button("Copy link", () => void this.copyLink()),
    );
    this.shared.setAttribute("role", "status");
    this.trouble.setAttribute("role", "status");
    root.prepend(this.stage, this.trouble, this.list, this.controls, this.actions, this.shared);
    // Figures that are not visible stand still.
    // Of several changes at once the last one counts.
    new IntersectionObserver((changes) => (this.seen = changes.at(-1)?.isIntersecting ?? false), {
      rootMargin: "100px",
    }).observe(root);
  }

  private get name(): string {
    return this.root.dataset.figure!;
  }

  /** Creates the simulation from the settings, and forgets what the last one has shown. */
  protected abstract create(): Simulation;
  /** Takes a setting that has changed. */
  protected changed(_key: string): void {
    this.build();
  }
  /** Lets time pass: milliseconds since the last frame, and the time at which the browser says that this one began. */
  protected abstract advance(delta: number, began: number): void;
  /** Shows the current numbers. */
  protected abstract show(): void;
  /** Draws the canvas with this index within `width` × `height` CSS pixels. */
  protected abstract draw(pen: CanvasRenderingContext2D, width: number, height: number, index: number): void;

  start(): void {
    this.build();
    this.setPlaying(this.playing);
    this.redraw();
    all.push(this);
  }

  protected build(): void {
    const last: Simulation | undefined = this.simulation;
    this.simulation = this.create();
    last?.free();
  }

  get running(): boolean {
    return this.playing && this.seen;
  }

  protected get isPlaying(): boolean {
    return this.playing;
  }

  /** Shows a frame. A figure that throws an error stops alone. */
  frame(delta: number, began: number): void {
    this.hasBegun = true;
    try {
      this.advance(Math.min(delta, 250), began);
      if (this.seen) this.redraw();
    } catch (error) {
      this.fail(error);
    }
  }

  protected redraw(): void {
    this.show();
    for (const canvas of this.canvases) canvas.redraw();
  }

  /** Stops, and shows the reason. */
  protected fail(error: unknown): void {
    this.setPlaying(false);
    this.trouble.textContent = `This figure has stopped (${String(error)}). Restart it, or reload the page.`;
    reportError(error);
  }

  /** The action of its button: a figure that has failed plays again. */
  private startOver(): void {
    try {
      this.restart();
    } catch (error) {
      return this.fail(error);
    }
    if (this.trouble.textContent === "") return;
    this.trouble.textContent = "";
    this.setPlaying(true);
  }

  protected setPlaying(playing: boolean): void {
    this.playing = playing;
    this.play.textContent = playing ? "Pause" : "Play";
    this.root.dataset.playing = String(playing);
  }

  protected restart(): void {
    this.build();
    this.redraw();
  }

  /** Copies a link to this figure with its settings. */
  private async copyLink(): Promise<void> {
    const link = linkTo(this.root);
    try {
      await navigator.clipboard.writeText(link);
      this.shared.textContent = "The link to this figure with its settings is copied.";
    } catch {
      this.shared.textContent = `Copy this address: ${link}`;
    }
  }

  private setDefaults(): void {
    for (const setting of this.settings) this.set(setting.key, setting.value);
    this.restart();
  }

  /** Adds a canvas that every frame redraws; see `Canvas`. */
  protected canvas(label: string, shape: number, least: number, parent: HTMLElement = this.stage): HTMLCanvasElement {
    const index = this.canvases.length;
    const canvas = new Canvas(parent, label, shape, least, (pen, width, height) => this.draw(pen, width, height, index));
    this.canvases.push(canvas);
    return canvas.element;
  }

  /** Places beside each other, or below each other on narrow screens, each under its title. */
  protected columns(titles: string[]): HTMLElement[] {
    const pair = element("div", "pair");
    this.stage.append(pair);
    return titles.map((title) => {
      const place = element("div");
      place.append(element("p", "title", title));
      pair.append(place);
      return place;
    });
  }

  /** Takes a file, by a button or by dropping. */
  protected takeFiles(label: string, open: (file: File) => void): void {
    const input = Object.assign(element("input"), { type: "file", hidden: true });
    const openFirst = (files: FileList | null | undefined) => {
      if (files?.[0]) open(files[0]);
    };
    input.addEventListener("change", () => {
      openFirst(input.files);
      input.value = "";
    });
    this.actions.append(button(label, () => input.click()), input);
    this.root.addEventListener("dragover", (event) => event.preventDefault());
    this.root.addEventListener("drop", (event) => {
      event.preventDefault();
      openFirst(event.dataTransfer?.files);
    });
  }

  /** Shows a number under a label once the figure has begun; `colour` is the colour of its subject. */
  protected number(label: string, text: string, colour = ""): void {
    let shown = this.numbers.get(label);
    if (!shown) {
      const entry = element("div");
      shown = element("dd");
      shown.dataset.number = label;
      entry.append(element("dt", "", label), shown);
      this.list.append(entry);
      this.numbers.set(label, shown);
    }
    setText(shown, this.hasBegun ? text : "–");
    shown.className = colour;
  }

  protected getNumber(key: string): number {
    return Number(this.values.get(key));
  }

  protected getText(key: string): string {
    return String(this.values.get(key));
  }

  /** Sets a setting as its control does. */
  protected set(key: string, value: Value): void {
    const setting = this.settings.find((setting) => setting.key === key);
    if (!setting || this.values.get(key) === value) return;
    this.values.set(key, value);
    this.showControl.get(key)?.();
    leadTo(this.root);
    write(this.name, setting, value);
    this.changed(key);
    if (!this.running) this.redraw();
  }

  /** Lets the control of a number show the nearest of its values, without a change of the address. */
  protected follow(key: string, number: number): void {
    const setting = this.settings.find((setting) => setting.key === key);
    if (setting?.kind !== "number") return;
    const apart = setting.values.map((value) => Math.abs(value - number));
    const nearest = setting.values[apart.indexOf(Math.min(...apart))]!;
    if (nearest === this.values.get(key)) return;
    this.values.set(key, nearest);
    this.showControl.get(key)?.();
  }

  private addControl(setting: Setting): void {
    if (setting.kind === "text") return;
    const label = element("label", setting.kind);
    label.append(element("span", "", setting.label));
    if (setting.kind === "number") this.addSlider(label, setting);
    else this.addMenu(label, setting);
    this.showControl.get(setting.key)?.();
    this.controls.append(label);
  }

  private addSlider(label: HTMLElement, setting: Setting & { kind: "number" }): void {
    const slider = element("input");
    const shown = element("span", "value");
    Object.assign(slider, { type: "range", min: "0", max: String(setting.values.length - 1), step: "1" });
    slider.name = setting.key;
    slider.addEventListener("input", () => this.set(setting.key, setting.values[slider.valueAsNumber]!));
    label.append(shown, slider);
    this.showControl.set(setting.key, () => {
      const value = this.getNumber(setting.key);
      slider.value = String(setting.values.indexOf(value));
      shown.textContent = setting.show(value);
      slider.setAttribute("aria-valuetext", setting.show(value));
    });
  }

  private addMenu(label: HTMLElement, setting: Setting & { kind: "choice" }): void {
    const menu = element("select");
    menu.name = setting.key;
    for (const [value, text] of setting.options) menu.append(new Option(text, value));
    menu.addEventListener("change", () => this.set(setting.key, menu.value));
    label.append(menu);
    this.showControl.set(setting.key, () => (menu.value = this.getText(setting.key)));
  }
}

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className = "",
  text = "",
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.textContent = text;
  return made;
}

export function button(text: string, press: () => void): HTMLButtonElement {
  const made = element("button", "", text);
  made.type = "button";
  made.addEventListener("click", press);
  return made;
}

/** Changes a text only if it differs, so that nothing is laid out again for the same one. */
export function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** Numbers that a simulation returns in rows of `width`. */
export function rows<Row extends number[]>(numbers: Float64Array | Float32Array, width: number): Row[] {
  const count = numbers.length / width;
  return Array.from({ length: count }, (_, row) => Array.from(numbers.subarray(row * width, (row + 1) * width)) as Row);
}
