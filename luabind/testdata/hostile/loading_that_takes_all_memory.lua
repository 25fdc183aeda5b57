-- loading that takes all memory
-- expect: refused: loading used up its budget
x = {}
for i = 1, 1e9 do x[i] = { 1, 2, 3, a = 4 } end
