-- an endless onTrigger
-- expect: used up its budget
X = object "X" { body = { shape = { circle = 1 }, sensor = true } }
function X:onTrigger(other)
  while true do end
end
Y = object "Y" { body = { shape = { circle = 1 } } }
function X:onSpawn() spawn("Y") end
