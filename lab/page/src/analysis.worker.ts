// Measures a file in a worker, so that the page continues, and answers with the report.

import load, { analyze } from "./wasm/analysis/analysis";

onmessage = async ({ data: file }: MessageEvent<File>) => {
  try {
    const [, bytes] = await Promise.all([load(), file.arrayBuffer()]);
    postMessage(analyze(new Uint8Array(bytes), file.name));
  } catch (error) {
    postMessage(`${String(error)}.`);
  }
};
