// Reads and measures a file in a worker, so that the page continues.

import load, { analyze } from "./wasm/analysis/analysis";
import type { Analysis, Message } from "./messages";

const tell = (message: Message) => postMessage(message);

onmessage = async ({ data: file }: MessageEvent<File>) => {
  try {
    const bytes = await readAll(file);
    tell({ kind: "measuring" });
    await load();
    tell({ kind: "done", analysis: JSON.parse(analyze(bytes, file.name)) as Analysis });
  } catch (error) {
    tell({ kind: "failed", reason: String(error) });
  }
};

async function readAll(file: File): Promise<Uint8Array> {
  const all = new Uint8Array(file.size);
  const reader = file.stream().getReader();
  for (let at = 0; ; ) {
    const { value, done } = await reader.read();
    if (done) return all;
    all.set(value, at);
    at += value.length;
    tell({ kind: "read", bytes: at, of: file.size });
  }
}
