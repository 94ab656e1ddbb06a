-- What the tests share: a check, and running them in the order of their names.

local suite = {}

function suite.equal(got, expected, what)
  if got ~= expected then
    error(("%s: expected %s, got %s"):format(what or "it", tostring(expected), tostring(got)), 2)
  end
end

--- Runs all, and prints their number and where that was. Exits with 1 at the first that fails.
function suite.run(tests, where)
  local names = {}
  for name in pairs(tests) do
    table.insert(names, name)
  end
  table.sort(names)
  for _, name in ipairs(names) do
    local is_done, message = xpcall(tests[name], debug.traceback)
    if not is_done then
      io.stderr:write("failed: " .. name:gsub("_", " ") .. "\n" .. message .. "\n")
      os.exit(1)
    end
  end
  print(#names .. " tests, " .. where)
end

return suite
