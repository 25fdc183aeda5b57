-- pcall in a loop
-- expect: refused: pcall is not defined
X = object "X" {}
function X:tick()
  while true do pcall(error) end
end
