-- a metatable of strings
-- expect: refused: getmetatable is not defined
getmetatable("").__index = nil
