import { defineConfig } from "@playwright/test";
import { launchOptions } from "../../bindings/js/tests/browser.mjs";

// A port for this run only, so that a server of another run is not in the way. Workers inherit it.
const port = (process.env["PAGE_PORT"] ??= String(20_000 + Math.floor(Math.random() * 12_000)));

export default defineConfig({
  testDir: "tests",
  // Only for what never ends: on a machine that is busy with something else, everything takes several times as long.
  timeout: 900_000,
  expect: { timeout: 120_000 },
  workers: 2,
  fullyParallel: true,
  reporter: [["list"]],
  use: {
    baseURL: `http://127.0.0.1:${port}/`,
    browserName: "chromium",
    viewport: { width: 1100, height: 900 },
    // A test ends before V8's second, optimised compilation of WebAssembly has paid for itself.
    launchOptions: { ...launchOptions, args: [...launchOptions.args, "--js-flags=--no-wasm-tier-up"] },
  },
  webServer: {
    command: `npm run --silent preview -- --outDir ../../target/page/site --port ${port} --strictPort --no-open`,
    url: `http://127.0.0.1:${port}/`,
    timeout: 300_000,
    stdout: "ignore",
  },
});
