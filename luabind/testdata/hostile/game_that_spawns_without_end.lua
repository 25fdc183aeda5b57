-- game that spawns without end
-- expect: used up its budget
X = object "X" {}
function onStart()
  while true do spawn("X") end
end
