//! Makes the JavaScript module and its types for the studio's WebAssembly: what the program `wasm-bindgen` does with
//! `--target web`.
//!
//! ```sh
//! cargo run -p superovoid-studio-bindgen -- superovoid_studio.wasm apps/studio/src/wasm
//! ```

use anyhow::{Context, bail};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [input, output] = arguments.as_slice() else {
        bail!("two arguments are needed: the WebAssembly file and the directory to write to");
    };
    let mut bindgen = Bindgen::new();
    bindgen.input_path(input).typescript(true);
    bindgen.web(true)?;
    bindgen
        .generate(output)
        .with_context(|| format!("no JavaScript for {input}"))
}
