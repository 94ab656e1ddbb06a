// The common part of all figures: a stage, numbers, controls, play, restart, and settings in the address.

import { Canvas, type Draw } from "./canvas";
import { leadTo, read, write, type Setting, type Value } from "./link";
import { animate, type Animated } from "./loop";
import { onThemeChange } from "./theme";

const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

export abstract class Figure implements Animated {
  private readonly values = new Map<string, Value>();
  private readonly showControl = new Map<string, () => void>();
  private readonly numbers = new Map<string, HTMLElement>();
  private readonly canvases: Canvas[] = [];
  private readonly list = element("dl", "numbers");
  private readonly play = button("Pause", () => this.setPlaying(!this.playing));
  private readonly trouble = element("p", "trouble");
  private playing = !reducedMotion.matches;
  private seen = false;

  protected readonly stage = element("div", "stage");
  protected readonly controls = element("div", "controls");
  protected readonly actions = element("div", "actions");

  constructor(
    protected readonly root: HTMLElement,
    readonly name: string,
    private readonly settings: Setting[],
  ) {
    root.classList.add("live");
    for (const setting of settings) {
      this.values.set(setting.key, read(name, setting));
      this.addControl(setting);
    }
    this.actions.append(
      this.play,
      button("Restart", () => this.startOver()),
      button("Defaults", () => this.setDefaults()),
    );
    this.trouble.setAttribute("role", "status");
    root.prepend(this.stage, this.trouble, this.list, this.controls, this.actions);
    onThemeChange(() => this.themeChanged());
    // Figures that are not visible stand still.
    // Of several changes at once the last one counts.
    new IntersectionObserver((changes) => (this.seen = changes.at(-1)?.isIntersecting ?? false), {
      rootMargin: "100px",
    }).observe(root);
  }

  /** Recreates the simulation from the settings. */
  protected abstract build(): void;
  /** Takes a setting that has changed. */
  protected abstract changed(key: string): void;
  /** Lets time pass, in milliseconds. */
  protected abstract advance(delta: number, began: number): void;
  /** Shows the current numbers. */
  protected abstract show(): void;
  /** Takes the colours of another theme. */
  protected recoloured(): void {}

  /** To be called at the end of a figure's constructor. */
  protected start(): void {
    this.build();
    this.setPlaying(this.playing);
    this.redraw();
    animate(this);
  }

  get running(): boolean {
    return this.playing && this.seen;
  }

  /** Whether it is on the screen, or nearly so. */
  protected get isSeen(): boolean {
    return this.seen;
  }

  frame(delta: number, began: number): void {
    this.advance(Math.min(delta, 250), began);
    if (this.seen) this.redraw();
  }

  protected redraw(): void {
    this.show();
    for (const canvas of this.canvases) canvas.redraw();
  }

  /** Stops only this figure, and shows the reason in its place. */
  fail(error: unknown): void {
    this.showPlaying(false);
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
    this.showPlaying(playing);
  }

  private showPlaying(playing: boolean): void {
    this.playing = playing;
    this.play.textContent = playing ? "Pause" : "Play";
    this.root.dataset.playing = String(playing);
  }

  protected restart(): void {
    this.build();
    this.redraw();
  }

  private setDefaults(): void {
    for (const setting of this.settings) this.set(setting.key, setting.value);
    this.restart();
  }

  private themeChanged(): void {
    this.recoloured();
    this.redraw();
  }

  protected canvas(label: string, shape: number, least: number, draw: Draw, parent = this.stage): Canvas {
    const canvas = new Canvas(parent, label, shape, least, draw);
    this.canvases.push(canvas);
    return canvas;
  }

  protected chart(): HTMLElement {
    const place = element("div", "chart");
    this.stage.append(place);
    return place;
  }

  /** Shows a number under a label; `colour` is the colour of its subject. */
  protected number(label: string, text: string, colour = ""): void {
    let shown = this.numbers.get(label);
    if (!shown) {
      shown = element("dd");
      shown.dataset.number = label;
      const entry = element("div");
      const term = element("dt");
      term.textContent = label;
      entry.append(term, shown);
      this.list.append(entry);
      this.numbers.set(label, shown);
    }
    if (shown.textContent !== text) shown.textContent = text;
    shown.className = colour;
  }

  protected getNumber(key: string): number {
    return Number(this.values.get(key));
  }

  protected getText(key: string): string {
    return String(this.values.get(key));
  }

  protected getSwitch(key: string): boolean {
    return this.values.get(key) === true;
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

  private addControl(setting: Setting): void {
    if (setting.kind === "text") return;
    const label = element("label", setting.kind);
    const name = element("span");
    name.textContent = setting.label;
    label.append(name);
    if (setting.kind === "number") this.addSlider(label, setting);
    else if (setting.kind === "choice") this.addMenu(label, setting);
    else this.addSwitch(label, setting);
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

  private addSwitch(label: HTMLElement, setting: Setting & { kind: "switch" }): void {
    const box = element("input");
    box.type = "checkbox";
    box.name = setting.key;
    box.addEventListener("change", () => this.set(setting.key, box.checked));
    label.prepend(box);
    this.showControl.set(setting.key, () => (box.checked = this.getSwitch(setting.key)));
  }
}

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className = "",
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  if (className) made.className = className;
  return made;
}

export function button(text: string, press: () => void): HTMLButtonElement {
  const made = element("button");
  made.type = "button";
  made.textContent = text;
  made.addEventListener("click", press);
  return made;
}

/** The largest errors of measured frame times, in milliseconds. */
export function jitter(value: number): Setting {
  return {
    key: "jitter",
    label: "Jitter",
    kind: "number",
    values: [0, 1, 2, 5, 10],
    value,
    show: (value) => `±${value} ms`,
  };
}

const SCALES: Record<string, [number, number]> = {
  "1/10": [1, 10],
  "1/4": [1, 4],
  "1/2": [1, 2],
  "1": [1, 1],
  "2": [2, 1],
  "4": [4, 1],
};

/** How fast simulated time passes. */
export function timeScales(): Setting {
  return {
    key: "speed",
    label: "Speed",
    kind: "choice",
    options: Object.keys(SCALES).map((scale) => [scale, `${scale}×`]),
    value: "1",
  };
}

/** The numerator and the denominator of a time scale. */
export function timeScale(name: string): [number, number] {
  return SCALES[name]!;
}

/** The refresh rates that a figure can imitate, in hertz; 0 is the real display. */
export function refreshRates(value: number): Setting {
  return {
    key: "display",
    label: "Display",
    kind: "number",
    values: [10, 15, 20, 24, 30, 40, 50, 60, 75, 90, 120, 144, 165, 240, 0],
    value,
    show: (value) => (value === 0 ? "this one" : `${value} Hz`),
  };
}
