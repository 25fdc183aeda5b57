-- pattern bomb of captures
-- expect: used up its budget
X = object "X" {}
function X:tick()
  string.match(string.rep("a", 900), string.rep("(a*)", 30) .. "b")
end
