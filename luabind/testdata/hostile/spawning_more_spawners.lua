-- spawning more spawners
-- expect: too many objects
X = object "X" { state = { d = 0, t = 0 } }
function X:tick()
  self.t = self.t + 1
  if self.d > 0 and self.t > 2 then self:remove() end
  if self.d == 0 and self.t > 12 then return end
  if self.d == 0 then while true do spawn("X", { d = 1 }) end end
  if self.d == 1 then for i = 1, 3 do spawn("X", { d = 2 }) end end
end
