-- In a clone: luarocks make bindings/lua/evenstep-0.1.0-1.rockspec
rockspec_format = "3.0"
package = "evenstep"
version = "0.1.0-1"
source = { url = "." }
description = {
  summary = "Equal simulation steps at any frame rate, smooth drawing between them, each press of a key in exactly one step",
  license = "MIT or Apache-2.0",
  labels = { "gamedev", "love", "defold" },
}
dependencies = { "lua >= 5.1" }
build = {
  type = "builtin",
  modules = {
    evenstep = "bindings/lua/evenstep.lua",
    evenstep_defold = "bindings/lua/evenstep_defold.lua",
    evenstep_love = "bindings/lua/evenstep_love.lua",
  },
}
