-- byte code by name
-- expect: refused: loadstring is not defined
x = loadstring("\27Lua")()
