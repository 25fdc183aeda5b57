-- a metatable of strings
-- expect: refused: attempt to index a nil value
getmetatable("").__index = nil
