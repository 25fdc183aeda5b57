-- a library function replaced
-- expect: refused: belongs to the language
function print() end
