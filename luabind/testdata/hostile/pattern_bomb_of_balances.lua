-- pattern bomb of balances
-- expect: used up its budget
X = object "X" {}
function X:tick()
  string.find(string.rep("(", 1000), "%b()x")
  while true do string.gsub(string.rep("(", 1000), "%b()", "") end
end
