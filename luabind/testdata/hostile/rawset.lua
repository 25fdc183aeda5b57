-- rawset on a table of the library
-- expect: refused: this table is read-only
rawset(math, "pi", 3)
