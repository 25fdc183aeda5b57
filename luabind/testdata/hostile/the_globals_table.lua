-- the globals table
-- expect: refused: _G is not defined
_G.print = nil
