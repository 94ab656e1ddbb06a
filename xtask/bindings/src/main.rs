//! Writes the JavaScript of a WebAssembly module: `evenstep-bindings MODULE NAME OUT`. It is a separate program, so that
//! `cargo xtask` compiles in seconds.

use anyhow::{Context, Result, bail};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [module, name, out] = &arguments[..] else {
        bail!("usage: evenstep-bindings MODULE NAME OUT");
    };
    Bindgen::new()
        .input_path(module)
        .out_name(name)
        .web(true)?
        .typescript(true)
        .omit_default_module_path(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate(out)
        .with_context(|| format!("cannot make the bindings of module {name}"))
}
