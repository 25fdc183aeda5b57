-- gmatch without end
-- expect: fine
X = object "X" {}
function X:tick()
  for a in string.gmatch(string.rep("a", 1000), "") do end
end
