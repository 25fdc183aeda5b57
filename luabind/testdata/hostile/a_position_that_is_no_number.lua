-- a position that is no number
-- expect: finite
X = object "X" { body = { shape = { circle = 1 } } }
function X:tick()
  self:setPosition(0 / 0, 1)
end
