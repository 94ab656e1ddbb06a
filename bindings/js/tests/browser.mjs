// How Chromium is started: by the page's tests and measurements, and by the tests of determinism.

import { chromium } from "playwright-core";

/** In milliseconds, for what never ends: beside compilers everything takes many times as long. */
const TIMEOUT = 120_000;

export const launchOptions = {
  timeout: TIMEOUT,
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    // A key's scrolling would go on for some tenths of a second.
    "--disable-smooth-scrolling",
  ],
};

export async function launch() {
  const browser = await chromium.launch(launchOptions);
  browser.on("context", (context) => context.setDefaultTimeout(TIMEOUT));
  return browser;
}
