-- a closure that counts
-- expect: refused: is frozen after loading
X = object "X" {}
local function counter()
  local n = 0
  return function() n = n + 1 return n end
end
X.count = counter()
