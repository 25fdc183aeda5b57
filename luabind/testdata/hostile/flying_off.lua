-- flying off
-- expect: fine
X = object "X" { body = { shape = { circle = 1 } } }
function X:tick()
  self:setVelocity(1e308, -1e308)
  self:setPosition(1e308, 1e308)
  self:applyImpulse(1e308, 1e308)
  self:setAngularVelocity(1e308)
  self:setDirection(1e308)
end
