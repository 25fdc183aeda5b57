-- contact hooks that spawn contacts
-- expect: too many objects
X = object "X" { body = { shape = { circle = 1 } } }
function X:onContact(other, c)
  if other.class ~= "X" then return end
  for i = 1, 100 do spawn("Y", { x = c.x + i / 2, y = c.y }) end
end
-- each Y touches its neighbours, and makes more that touch
Y = object "Y" { state = { t = 0, g = 0 }, body = { shape = { circle = 0.3 } } }
function Y:onContact(other, c)
  if self.g < 1 then spawn("Y", { x = c.x, y = c.y + 1, g = self.g + 1 }) end
end
function Y:tick()
  self.t = self.t + 1
  if self.t > 3 then self:remove() end
end
