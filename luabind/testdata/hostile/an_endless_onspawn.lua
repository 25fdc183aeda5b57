-- an endless onSpawn
-- expect: used up its budget
X = object "X" {}
function X:onSpawn()
  while true do end
end
