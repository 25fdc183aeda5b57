-- a text declared too long
-- expect: refused: a string field holds 1 to 64 bytes
X = object "X" { state = { a = str(1e9) } }
