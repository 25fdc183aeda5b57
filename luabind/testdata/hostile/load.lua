-- load
-- expect: refused: load is not defined
x = load("return 1")
