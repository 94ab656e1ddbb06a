// Measures a file in a worker, so that the page continues, and answers with the report.

import { compiled } from "./compiled";

onmessage = async ({ data: file }: MessageEvent<File>) => {
  try {
    await compiled("analysis");
    const [analysis, bytes] = await Promise.all([import("./wasm/analysis/analysis"), file.arrayBuffer()]);
    await analysis.default();
    postMessage(analysis.analyze(new Uint8Array(bytes), file.name));
  } catch (error) {
    postMessage(`${String(error)}.`);
  }
};
