-- a metatable of a table of a file, with a variable that a hook would change
-- expect: refused: is frozen after loading
local function counter() local n = 0 return function() n = n + 1 return n end end
x = setmetatable({}, { __index = counter() })
