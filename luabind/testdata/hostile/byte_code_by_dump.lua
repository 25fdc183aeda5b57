-- byte code by dump
-- expect: refused: string.dump does not exist
x = string.dump(print)
