-- a function that sets a global
-- expect: refused: global n is set in a function
n = 0
X = object "X" {}
function X:tick()
  n = n + 1
end
