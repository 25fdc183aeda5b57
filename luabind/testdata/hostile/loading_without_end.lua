-- loading without end
-- expect: refused: loading used up its budget
while true do end
