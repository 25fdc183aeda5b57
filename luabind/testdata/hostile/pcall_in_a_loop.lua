-- pcall in a loop
-- expect: used up its budget
X = object "X" {}
function X:tick()
  while true do pcall(error) end
end
