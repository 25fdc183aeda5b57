-- a library member replaced
-- expect: refused: read-only
math.sin = function() return 0 end
