-- a list declared too long
-- expect: refused: a list holds 1 to 256 items
X = object "X" { state = { l = list("number", 1e9) } }
