-- a metatable
-- expect: refused: setmetatable is not defined
x = setmetatable({}, { __index = function() end })
