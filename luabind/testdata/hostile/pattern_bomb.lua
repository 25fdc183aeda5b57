-- pattern bomb
-- expect: used up its budget
X = object "X" {}
function X:tick()
  string.find(string.rep("a", 1000), "a*a*a*a*a*a*b")
end
