-- luacheck --config bindings/lua/.luacheckrc bindings/lua examples/defold
std = "max"
max_line_length = 150
files["**/*love*"] = { globals = { "love" } }
files["**/love*/**"] = { globals = { "love" } }
files["**/benches"] = { globals = { "love" } }
files["**/*defold*"] = { globals = { "go", "sys", "vmath" } }
files["**/tests/snippets.lua"] = { globals = { "go", "vmath" } }
