import { expect, Figure, open, test } from "./page";

/** The faults of the five loops, and the figures below them. */
async function lanes(loops: Figure): Promise<{ faults: string; figures: string }[]> {
  const all = await loops.root.locator(".lane").all();
  return Promise.all(
    all.map(async (lane) => ({ faults: await lane.locator(".lost").innerText(), figures: await lane.locator(".figures").innerText() })),
  );
}

test("of five loops the last one has no fault, and each of the others has its own", async ({ page }) => {
  const loops = await open(page, "loops");
  await loops.until("frames of this display", (text) => Number(text) > 90);
  const [locked, variable, semi, newest, interpolated] = await lanes(loops);
  expect(locked!.faults).toBe("runs 0.60× as fast");
  expect(variable!.faults).toContain("explodes after");
  expect(semi!.faults).toBe("another result on every display");
  expect(newest!.faults).toMatch(/^jerks by \d+ mm$/);
  expect(interpolated!.faults).toBe("");
  expect(interpolated!.figures).toMatch(/speed 1.00× .* jerks 0.0 mm · latency 20.0 ms · lost 0.00 s/);
  expect(await loops.text("without a fault")).toBe("fixed and interpolated");
});

test("the loops are compared on every display, at every speed, with every integrator", async ({ page }) => {
  const loops = await open(page, "loops");
  for (const [control, choices] of [
    ["Display", ["24", "59.94", "2700", "40-60", "this"]],
    ["Speed", ["1/10", "4"]],
    ["Integrator", ["explicit-euler", "rk4"]],
  ] as const) {
    for (const choice of choices) {
      await loops.root.getByLabel(control).selectOption(choice);
      await loops.play(1500);
      const [, , , , interpolated] = await lanes(loops);
      const isBroken = choice === "explicit-euler";
      expect(interpolated!.faults !== "", `${control} ${choice}: ${interpolated!.faults}`).toBe(isBroken);
    }
  }
});

test("a recording that is dropped on the loops is a display", async ({ page }) => {
  const loops = await open(page, "loops");
  const rows = Array.from({ length: 300 }, (_, frame) => `${(frame * 0.02).toFixed(3)},${frame % 2 === 0 ? 15 : 25}`);
  const drop = (name: string, text: string) =>
    loops.root.evaluate((figure, [name, text]) => {
      const data = new DataTransfer();
      data.items.add(new File([text!], name!));
      figure.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    }, [name, text]);
  await drop("game.csv", ["TimeInSeconds,MsBetweenPresents", ...rows].join("\n"));
  await expect(loops.root.locator(".message")).toContainText("game.csv: 300 frames");
  await loops.play(3000);
  const [locked] = await lanes(loops);
  expect(locked!.faults).toContain("jerks");
  expect(await loops.text("without a fault")).toContain("fixed and interpolated");
  await drop("diary.txt", "Dear diary");
  await expect(loops.root.locator(".message")).toContainText("is no frame-time trace");
});

test("steps come out of the accumulator at their rate, stop with time, and one at a time", async ({ page }) => {
  const accumulator = await open(page, "accumulator", "accumulator.rate=30");
  const before = await accumulator.number("steps so far");
  await accumulator.play(1600);
  expect(Math.abs((await accumulator.number("steps so far")) - before - 48)).toBeLessThanOrEqual(2);
  await accumulator.button("Stop time").click();
  const stopped = await accumulator.number("steps so far");
  await accumulator.button("One step").click();
  await accumulator.until("steps so far", (text) => Number(text) === stopped + 1);
  await accumulator.button("Let time flow").click();
  await accumulator.until("steps so far", (text) => Number(text) > stopped + 10);
});

test("the interpolated block jumps less than a fifth as far as the raw one", async ({ page }) => {
  const blocks = await open(page, "two-blocks");
  await blocks.play(2500);
  const raw = await blocks.number("raw: largest jump in a frame");
  expect(raw).toBeGreaterThan(20);
  expect(await blocks.number("smoothed: largest jump in a frame")).toBeLessThan(raw / 5);
});

test("interpolation lags a step, extrapolation none, and a script with its own accumulator nearly two", async ({ page }) => {
  const blocks = await open(page, "two-blocks");
  // The numbers are over two seconds. Before the first step, what is drawn is not a step old.
  await blocks.play(2100);
  for (const [smoothing, least, most] of [["interpolate", 50, 50], ["extrapolate", 0, 0], ["hermite", 50, 50], ["script", 90, 100]] as const) {
    await blocks.root.getByLabel("The second block is drawn").selectOption(smoothing);
    await blocks.play(1500);
    const lag = await blocks.number("smoothed: lag");
    expect(lag, smoothing).toBeGreaterThanOrEqual(least);
    expect(lag, smoothing).toBeLessThanOrEqual(most);
  }
});

test("blocks stick where they land if the velocity threshold is not scaled, and are thrown again when they rest", async ({ page }) => {
  const blocks = await open(page, "two-blocks", "two-blocks.threshold=2500");
  await blocks.until("the faster block", (text) => text === "0 px/s");
  await blocks.until("the faster block", (text) => Number.parseFloat(text) > 100);
});

test("without a limit frames grow ever longer, and with a limit time is dropped instead", async ({ page }) => {
  const spiral = await open(page, "spiral");
  await spiral.until("frames a second", (text) => Number(text) < 3);
  await spiral.root.getByLabel("Too many steps are").selectOption("drop");
  await spiral.until("given up", (text) => Number.parseFloat(text) > 0.3);
  expect(await spiral.number("frames a second")).toBeGreaterThan(8);
});

test("after a hold-up, carried steps are caught up with and nothing is lost", async ({ page }) => {
  const spiral = await open(page, "spiral", "spiral.cost=5&spiral.policy=carry");
  await spiral.button("Hold the machine up for 0.4 s").click();
  await spiral.until("kept for later", (text) => Number.parseFloat(text) > 50);
  await spiral.until("kept for later", (text) => Number.parseFloat(text) < 20);
  expect(await spiral.number("given up")).toBe(0);
});

test("at ten frames a second blocks sink in with a step per frame and hardly with fixed steps", async ({ page }) => {
  const blocks = await open(page, "blocks");
  await blocks.until("a step per frame: deepest", (text) => Number.parseFloat(text) > 30);
  const deepest = await blocks.number("a step per frame: deepest");
  expect(await blocks.number("fixed steps: deepest")).toBeLessThan(deepest / 2);
});

test("time that was stopped stays so when the number of steps changes", async ({ page }) => {
  const accumulator = await open(page, "accumulator", "accumulator.rate=30");
  await accumulator.until("steps so far", (text) => Number(text) > 3);
  await accumulator.button("Stop time").click();
  await accumulator.slide("Steps", ["ArrowRight"]);
  await expect(accumulator.button("Let time flow")).toBeVisible();
  await accumulator.button("One step").click();
  await accumulator.until("steps so far", (text) => text === "1");
});

test("a solution of hockey wins with the same bits on every display", async ({ page }) => {
  const hockey = await open(page, "hockey", "hockey.level=1&hockey.charges=solution&hockey.jitter=5");
  const hashes = [];
  for (const display of ["Home", "End"]) {
    await hockey.slide("Display", [display]);
    await hockey.button("Shoot").click();
    await hockey.until("outcome", (text) => text === "goal");
    hashes.push(await hockey.text("hash of the state"));
  }
  expect(hashes[0]).toMatch(/^[0-9a-f]{16}$/);
  expect(hashes[1]).toBe(hashes[0]);
});

test("twenty shots with a step per frame end apart, and twenty with equal steps in one place", async ({ page }) => {
  const hockey = await open(page, "hockey", "hockey.level=3&hockey.charges=solution");
  expect(await hockey.number("20 shots, a step per frame: spread")).toBeGreaterThan(1);
  expect(await hockey.text("20 shots, equal steps: spread")).toBe("0.00 m");
});

test("the hunter thinks ten times a second and moves a hundred and twenty times", async ({ page }) => {
  const rates = await open(page, "rates");
  await rates.play(4000);
  const [steps, thoughts] = [await rates.number("steps of the physics"), await rates.number("thoughts")];
  expect(thoughts).toBeGreaterThan(35);
  expect(Math.floor(steps / 12)).toBe(thoughts);
});

test("a snooker table runs backwards through the states that it came through", async ({ page }) => {
  const snooker = await open(page, "snooker");
  await snooker.slide("Go to", ["ArrowRight", "ArrowRight", "ArrowRight"]);
  await snooker.button("Pause").click();
  await snooker.slide("Go to", ["ArrowRight"]);
  expect(await snooker.number("step")).toBe(40);
  const hash = await snooker.text("hash of the state");
  await snooker.slide("Go to", ["End"]);
  expect(await snooker.number("step")).toBe(600);
  expect(await snooker.text("hash of the state")).not.toBe(hash);
  await snooker.root.getByLabel("Time runs").selectOption("backwards");
  await snooker.button("Play").click();
  await snooker.until("step", (text) => Number(text) < 500);
  await snooker.button("Pause").click();
  await snooker.slide("Go to", ["Home", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight"]);
  expect(await snooker.text("hash of the state")).toBe(hash);
});

test("a level is played with the keyboard only", async ({ page }) => {
  const hockey = await open(page, "hockey", "hockey.level=1");
  const board = hockey.root.getByRole("application");
  await hockey.button("Shoot").focus();
  for (let presses = 0; presses < 30; presses++) {
    if (await board.evaluate((element) => element === document.activeElement)) break;
    await page.keyboard.press("Shift+Tab");
  }
  await expect(board).toBeFocused();
  for (let presses = 0; presses < 26; presses++) await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Enter");
  for (let presses = 0; presses < 4; presses++) await page.keyboard.press("+");
  await page.keyboard.press("s");
  await hockey.until("outcome", (text) => text === "goal");
  expect(page.url()).toContain("hockey.charges=4%2C20%2C200");
});

test.describe("on a touch screen", () => {
  test.use({ hasTouch: true });

  test("a tap places a charge", async ({ page }) => {
    const hockey = await open(page, "hockey", "hockey.level=1");
    const board = hockey.root.getByRole("application");
    const box = (await board.boundingBox())!;
    // On the element, not on a point of the screen: figures that load late still move it.
    await board.tap({ position: { x: box.width * 0.25, y: box.height * 0.25 } });
    await hockey.until("charges left", (text) => text === "1");
  });
});

test("charges are placed with the mouse, and the link brings them back", async ({ page }) => {
  const hockey = await open(page, "hockey", "hockey.level=1");
  const board = hockey.root.getByRole("application");
  const box = (await board.boundingBox())!;
  await board.click({ position: { x: box.width * 0.25, y: box.height * 0.75 } });
  expect(await hockey.number("charges left")).toBe(1);
  await hockey.play(1000);
  expect(page.url()).toContain("hockey.charges=15%2C10%2C100");
  const link = page.url();
  await page.goto("about:blank");
  await page.goto(link);
  await hockey.show();
  expect(await hockey.number("charges left")).toBe(1);
  await board.click({ position: { x: box.width * 0.5, y: box.height * 0.5 } });
  await board.click({ position: { x: box.width * 0.8, y: box.height * 0.3 } });
  await expect(hockey.root.locator(".message")).toContainText("this level allows 2");
});

test("a copied link leads to the board", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const hockey = await open(page, "hockey", "hockey.level=2");
  await hockey.button("Copy link").click();
  await expect(hockey.root.locator(".message")).toContainText("is copied");
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(new URL(link).hash).toBe("#hockey");
  await page.goto("about:blank");
  await page.goto(link);
  await expect(hockey.button("Shoot")).toBeAttached();
  await expect(page.getByRole("heading", { name: "Electric Field Hockey" })).toBeInViewport();
});

for (const [device, width] of [["a desk", 1280], ["a phone", 390]] as const) {
  test(`on the screen of ${device} what stands in a row stands in line`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 });
    for (const name of ["loops", "accumulator", "two-blocks", "spiral", "rates", "display", "seen"]) {
      const figure = name === "loops" ? await open(page, name) : new Figure(page, name);
      await figure.show();
      await figure.play(1000);
      const rows = await figure.root.evaluate((root) =>
        [[".controls label", "input, select"], [".numbers div", "dd"]].flatMap(([entries, inLine]) => {
          // Entries whose lower edges are equal are of one row.
          const rows = new Map<number, number[]>();
          for (const entry of root.querySelectorAll(entries!)) {
            const { top, height } = entry.querySelector(inLine!)!.getBoundingClientRect();
            const bottom = Math.round(entry.getBoundingClientRect().bottom);
            rows.set(bottom, [...(rows.get(bottom) ?? []), Math.round(inLine === "dd" ? top + height : top + height / 2)]);
          }
          return [...rows.values()];
        }),
      );
      for (const row of rows) expect(Math.max(...row) - Math.min(...row), `${name}: ${row.join(", ")}`).toBeLessThanOrEqual(2);
    }
  });
}

test("with reports a game expects its frames where they are presented", async ({ page }) => {
  const seen = await open(page, "seen");
  const off = "expected and presented differ by";
  const measure = async () => {
    await seen.play(1000);
    return seen.number(off);
  };
  const choose = async (clock: string) => {
    await seen.root.getByLabel("The game moves on by").selectOption(clock);
    return measure();
  };
  const timestamps = await choose("timestamps");
  expect(timestamps).toBeGreaterThan(0.5);
  expect(await choose("display")).toBeLessThan(timestamps / 5);
  expect(await choose("reports")).toBeLessThan(0.02);
  await seen.slide("The clock is read late by", ["End"]);
  expect(await measure()).toBeLessThan(0.1);
  await seen.slide("The display misses", ["End"]);
  expect(await measure()).toBeGreaterThan(1);
});

test("a frame that begins just in time has less latency, and slow frames make it miss refreshes", async ({ page }) => {
  const seen = await open(page, "seen", "seen.clock=reports");
  const [latency, missed] = ["from begin to presentation", "refreshes without a new frame"];
  expect(await seen.number(latency)).toBeGreaterThan(30);
  await seen.root.getByLabel("Frames begin").selectOption("paced");
  await seen.play(1000);
  expect(await seen.number(latency)).toBeLessThan(9);
  expect(await seen.number(missed)).toBe(0);
  await seen.slide("Slow frames", ["ArrowRight"]);
  await seen.play(1000);
  expect(await seen.number(missed)).toBeGreaterThan(0);
  expect(page.url()).toContain("seen.begin=paced");
});
