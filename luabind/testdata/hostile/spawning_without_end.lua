-- spawning without end
-- expect: too many objects
X = object "X" {}
Y = object "Y" { body = { shape = { circle = 0.1 } } }
function Y:tick() self:remove() end
function X:tick()
  while true do spawn("Y", { x = random() * 9 }) end
end
