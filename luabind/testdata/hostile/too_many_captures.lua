-- too many captures
-- expect: more than 32 captures
X = object "X" {}
function X:tick()
  string.match(string.rep("a", 900), string.rep("(a)", 33))
end
