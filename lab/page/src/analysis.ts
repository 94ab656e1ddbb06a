// Recordings that are dropped on the page: measured here, uploaded nowhere.

import { addNumber, button, element } from "./figure";
import type { Analysis, Chain, Comparison, Message } from "./messages";

let worker: Worker | undefined;

/** Measures a recording in place of the one that is being measured, and shows what is in it. */
export function measure(file: File, result: HTMLElement): void {
  worker?.terminate();
  worker = new Worker(new URL("./analysis.worker.ts", import.meta.url), { type: "module" });
  const { name } = file;
  const progress = element("p", "", `Reading ${name} …`);
  const cancel = button("Cancel", () => {
    worker?.terminate();
    result.replaceChildren(paragraph(`${name} was not measured.`));
  });
  result.replaceChildren(progress, cancel);
  worker.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.kind === "read") progress.textContent = `Reading ${name}: ${((100 * data.bytes) / data.of).toFixed(0)} %`;
    else if (data.kind === "measuring") progress.textContent = `Measuring ${name} …`;
    else if (data.kind === "failed") result.replaceChildren(paragraph(`${data.reason}.`));
    else show(data.analysis, result);
  };
  worker.onerror = ({ message }) => result.replaceChildren(paragraph(`${name} could not be measured (${message}).`));
  worker.postMessage(file);
}

const paragraph = (text: string) => element("p", "", text);

function show(analysis: Analysis, result: HTMLElement): void {
  result.replaceChildren(
    element("h3", "", `${analysis.file} (${analysis.format})`),
    ...analysis.warnings.map(paragraph),
    ...analysis.chains.slice(0, 5).map(showChain),
    ...(analysis.comparison ? showComparison(analysis.comparison) : []),
  );
}

/** Each strategy with the filter that suits it best. */
function showComparison({ rate_hz, outcomes, recommended }: Comparison): HTMLElement[] {
  const strategies = [...new Set(outcomes.map((outcome) => outcome.strategy))];
  const best = strategies.map((strategy) => outcomes.find((outcome) => outcome.strategy === strategy)!);
  const rows = best.map(({ strategy, filter, error_rms_ms, error_max_ms, latency_ms }) => [
    strategy,
    filter,
    `${error_rms_ms.toFixed(2)} ms`,
    `${error_max_ms.toFixed(1)} ms`,
    `${latency_ms.toFixed(1)} ms`,
  ]);
  return [
    element("h3", "", `What a game would look like, at ${rate_hz} steps a second`),
    table(["steps and drawing", "best filter", "animation error", "largest jump", "latency"], rows),
    paragraph(`Recommended: ${recommended.strategy}, filter ${recommended.filter}. Why: ${recommended.reason}.`),
    element("pre", "", recommended.code),
  ];
}

function table(header: string[], rows: string[][]): HTMLElement {
  const wide = element("div", "wide");
  wide.tabIndex = 0;
  const made = element("table");
  const row = (cells: string[], kind: "th" | "td") => {
    const line = made.insertRow();
    for (const text of cells) line.append(element(kind, "", text));
  };
  row(header, "th");
  for (const cells of rows) row(cells, "td");
  wide.append(made);
  return wide;
}

function showChain(chain: Chain): HTMLElement {
  const made = element("section");
  const list = element("dl", "numbers");
  const times = chain.frame_time_ms;
  const error = chain.animation_error_ms;
  const numbers: [string, string][] = [
    ["program", chain.process || "–"],
    ["frames", `${chain.frames} in ${chain.seconds.toFixed(1)} s`],
    ["never displayed", chain.not_displayed === undefined ? "not recorded" : String(chain.not_displayed)],
    ["rate", `${chain.fps_average.toFixed(1)} fps, slowest 1 % ${chain.fps_low_1pct.toFixed(1)}`],
    ["frame time", `${times.median.toFixed(2)} ms, at most ${times.max.toFixed(1)}`],
    ["animation error", error ? `${error.rms.toFixed(2)} ms, at most ${error.max_abs.toFixed(1)}` : "not recorded"],
    ["stutter", `${chain.stutter_time_pct.toFixed(2)} %, ${chain.hitches.length} hitches`],
  ];
  for (const [name, text] of numbers) addNumber(list, name, text);
  const found = chain.diagnosis.map(({ kind, evidence, cure }) =>
    paragraph(`${kind.replaceAll("-", " ")}: ${evidence}; ${cure}.`),
  );
  made.append(list, ...found);
  return made;
}
