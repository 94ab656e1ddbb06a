import { defineConfig } from "@playwright/test";
import { launchOptions } from "./browser.mjs";

const port = 7979;

export default defineConfig({
  testDir: "tests",
  timeout: 60_000,
  workers: 2,
  fullyParallel: true,
  reporter: [["list"]],
  use: {
    baseURL: `http://127.0.0.1:${port}/`,
    browserName: "chromium",
    viewport: { width: 1100, height: 900 },
    launchOptions,
  },
  webServer: {
    command: `../target/debug/evenstep lab ../target/page/site --port ${port} --no-open`,
    url: `http://127.0.0.1:${port}/`,
    stdout: "ignore",
  },
});
