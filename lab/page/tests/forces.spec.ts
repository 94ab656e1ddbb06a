import { expect, open, test } from "./page";

test("planck: a push by the frame depends on the display, and one in each step does not", async ({ page }) => {
  const forces = await open(page, "forces", "forces.display=60");
  const speed = (way: string) => forces.number(way);
  // In hertz. At 30, one of two steps. Without a step in a frame, pushes add up.
  for (const [key, byFrame] of [["", 2], ["Home", 1 / 3], ["End", 2], ["ArrowLeft", 8], ["ArrowLeft", 5.5]] as const) {
    if (key !== "") await forces.slide("Display", [key]);
    await forces.play(1500);
    const display = await forces.root.getByRole("slider", { name: "Display" }).getAttribute("aria-valuetext");
    expect(Math.abs((await speed("once a frame, cleared after a step")) / byFrame - 1), display!).toBeLessThan(0.1);
    for (const way of ["once a frame, cleared after the frame", "in each step"]) expect(await speed(way), `${way}, ${display}`).toBeCloseTo(2, 1);
  }
});

test("Bullet: a copy of positions falls elsewhere, and one with velocities nearly alike; it loads when it is played", async ({ page }) => {
  const engines: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("ammo")) engines.push(request.url());
  });
  const state = await open(page, "state");
  await state.play(500);
  expect(engines).toEqual([]);
  await state.button("Play").click();
  await expect(state.button("Pause")).toBeVisible();
  expect(engines.some((url) => url.endsWith(".wasm"))).toBe(true);
  for (let run = 0; run < 2; run++) {
    await state.until("steps", (text) => text === "120");
    expect(await state.number("position and rotation: farthest cube apart")).toBeGreaterThan(1);
    const apart = await state.number("position, rotation and velocities: farthest cube apart");
    expect(apart).toBeGreaterThan(0);
    expect(apart).toBeLessThan(0.5);
    await state.until("steps", (text) => Number(text) < 60);
  }
});
