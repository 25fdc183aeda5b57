-- a state declared too great
-- expect: refused: at most 512
X = object "X" { state = { a = list(str(64), 256) } }
