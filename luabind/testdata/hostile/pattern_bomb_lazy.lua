-- pattern bomb, lazy
-- expect: used up its budget
X = object "X" {}
function X:tick()
  string.match(string.rep("a", 1000), "a-a-a-a-b")
end
