-- rawset
-- expect: refused: rawset is not defined
rawset({}, 1, 2)
