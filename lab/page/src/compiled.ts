// The modules of WebAssembly that `cargo lab` compiles while it serves the page: each is there when it is compiled.

export const isLab = import.meta.env.MODE === "lab";

/** Waits until a module is there: in the page of `cargo lab`; in any other it is. */
export async function compiled(name: "analysis" | "peers" | "physics"): Promise<void> {
  const isThere = async () => (await fetch(`/wasm/${name}/${name}.js`, { method: "HEAD" })).ok;
  while (isLab && !(await isThere())) await new Promise((wait) => setTimeout(wait, 1000));
}
