-- the globals table
-- expect: refused: print belongs to the language
_G.print = nil
