import { expect, open, test } from "./page";

for (const name of ["bridge", "platforms"]) {
  test(`${name}: the state after 300 steps is the same on a display with 20 frames a second as on one with 144`, async ({ page }) => {
    const states: string[] = [];
    for (const display of [20, 144]) {
      const figure = await open(page, name, `${name}.display=${display}`);
      await figure.until("state after 300 steps", (text) => text !== "not yet");
      states.push(await figure.text("state after 300 steps"));
    }
    expect(states[0]).toMatch(/^[0-9a-f]{16}$/);
    expect(states[1]).toBe(states[0]);
  });
}

test("the pictures of the bridge and of the lifts move", async ({ page }) => {
  for (const name of ["bridge", "platforms"]) {
    const figure = await open(page, name);
    const steps = await figure.number("steps");
    await figure.until("steps", (text) => Number(text) >= steps + 30);
    await figure.button("Pause").click();
    const before = await figure.root.locator("canvas").screenshot();
    const stopped = await figure.number("steps");
    await figure.button("Play").click();
    await figure.until("steps", (text) => Number(text) >= stopped + 30);
    await figure.button("Pause").click();
    expect(await figure.root.locator("canvas").screenshot(), name).not.toEqual(before);
  }
});
