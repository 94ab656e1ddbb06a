// How Chromium is started: by the page's tests and measurements, and by the tests of determinism.

import { chromium } from "playwright-core";

export const launchOptions = {
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ],
};

export const launch = () => chromium.launch(launchOptions);
