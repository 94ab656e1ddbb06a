// A page whose every test also fails on console errors and on requests to other hosts.

import { test as base, expect, type Page } from "@playwright/test";

export const test = base.extend<{ strict: void }>({
  strict: [
    async ({ page, baseURL }, use) => {
      const wrong: string[] = [];
      page.on("console", (message) => {
        if (message.type() === "error") wrong.push(message.text());
      });
      page.on("pageerror", (error) => wrong.push(String(error)));
      page.on("request", (request) => {
        const url = new URL(request.url());
        const own = url.origin === new URL(baseURL!).origin || ["data:", "blob:"].includes(url.protocol);
        if (!own) wrong.push(`request to ${request.url()}`);
      });
      await use();
      expect(wrong).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

/**
 * Opens the page with settings, and brings a figure into view. The page's time stands still: it passes only in `play` and
 * `until`, so what a test sees does not depend on how busy the machine is.
 */
export async function open(page: Page, figure: string, query = ""): Promise<Figure> {
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(1000);
  await page.goto(query ? `?${query}` : "");
  const opened = new Figure(page, figure);
  await opened.show();
  return opened;
}

/** A figure as its reader meets it. */
export class Figure {
  constructor(
    readonly page: Page,
    readonly name: string,
  ) {}

  get root() {
    return this.page.locator(`figure[data-figure=${this.name}]`);
  }

  async show(): Promise<void> {
    // Figures that start above it push it away, and one that is far away is not loaded.
    await expect(async () => {
      await this.root.scrollIntoViewIfNeeded();
      await expect(this.button("Restart")).toBeVisible({ timeout: 1000 });
    }).toPass();
    // What loads late above it must not push it out of view.
    await this.button("Restart").scrollIntoViewIfNeeded();
    await this.root.evaluate(
      (figure) =>
        new Promise<void>((seen) =>
          new IntersectionObserver((changes, observer) => {
            if (!changes.at(-1)!.isIntersecting) return;
            observer.disconnect();
            seen();
          }).observe(figure),
        ),
    );
  }

  /** Lets a number of milliseconds pass on the page, in frames of 16 ms. */
  async play(milliseconds: number): Promise<void> {
    await this.page.clock.runFor(milliseconds);
  }

  button(name: string) {
    return this.root.getByRole("button", { name, exact: true });
  }

  /** The text of a displayed number. */
  async text(label: string): Promise<string> {
    return (await this.shown(label).textContent()) ?? "";
  }

  /** The first number in it. */
  async number(label: string): Promise<number> {
    return Number.parseFloat((await this.text(label)).replace(/^[^\d-]*/, ""));
  }

  /** Lets time pass on the page, in frames of 100 ms, until a number or text meets a condition; a minute at most. */
  async until(label: string, wanted: (text: string) => boolean): Promise<void> {
    let text = await this.look(label);
    for (let frame = 0; frame < 600 && !wanted(text); frame++) {
      await this.page.clock.fastForward(100);
      text = await this.look(label);
    }
    expect(wanted(text), `${label}: ${text}`).toBe(true);
  }

  /** The text of a number after the figure has come into view: it stands still elsewhere, and figures that load late may push it out. */
  private look(label: string): Promise<string> {
    return this.shown(label).evaluate((number) => {
      number.closest("figure")!.scrollIntoView({ block: "nearest" });
      return number.textContent ?? "";
    });
  }

  private shown(label: string) {
    return this.root.locator(`dd[data-number="${label}"]`);
  }

  /** Moves a slider by keys, as a user can. */
  async slide(label: string, keys: string[]): Promise<void> {
    await this.root.getByRole("slider", { name: label }).focus();
    for (const key of keys) await this.page.keyboard.press(key);
  }
}
