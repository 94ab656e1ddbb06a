// Reads and measures a file, or compares filters, in a worker, so that the page continues.

import load, { analyze, filters } from "./wasm/analysis/analysis";
import type { Analysis, Message, Score, Task } from "./messages";

const tell = (message: Message) => postMessage(message);

onmessage = async (event: MessageEvent<Task>) => {
  try {
    if (event.data === "filters") {
      tell({ kind: "measuring" });
      await load();
      tell({ kind: "scored", scores: JSON.parse(filters(1)) as Score[] });
      return;
    }
    const bytes = await readAll(event.data);
    tell({ kind: "measuring" });
    await load();
    tell({ kind: "done", analysis: JSON.parse(analyze(bytes, event.data.name)) as Analysis });
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
