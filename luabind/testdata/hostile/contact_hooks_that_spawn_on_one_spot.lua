-- contact hooks that spawn on one spot
-- expect: too many objects
X = object "X" { body = { shape = { circle = 1 } } }
-- each X touches all the others, and makes more that do
function X:onContact(other, c)
  while true do spawn("X", { x = c.x, y = c.y }) end
end
