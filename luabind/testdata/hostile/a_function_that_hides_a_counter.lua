-- a function that hides a counter
-- expect: refused: n, a local of the file, is changed in a function
local n = 0
X = object "X" {}
function X:tick()
  n = n + 1
end
