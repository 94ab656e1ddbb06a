// Recordings that are dropped on the page: measured here, uploaded nowhere.

import { button, element } from "./figure";

let worker: Worker | undefined;

/** Measures a recording in place of the one that is being measured, and shows the report. */
export function measure(file: File, result: HTMLElement): void {
  worker?.terminate();
  worker = new Worker(new URL("./analysis.worker.ts", import.meta.url), { type: "module" });
  const say = (text: string) => result.replaceChildren(element("pre", "", text));
  const cancel = button("Cancel", () => {
    worker?.terminate();
    say(`${file.name} was not measured.`);
  });
  say(`Measuring ${file.name} …`);
  result.append(cancel);
  worker.onmessage = ({ data }: MessageEvent<string>) => say(data);
  worker.onerror = ({ message }) => say(`${file.name} could not be measured (${message}).`);
  worker.postMessage(file);
}
