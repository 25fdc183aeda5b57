-- giving oneself away
-- expect: fine
X = object "X" {}
function X:tick()
  self:setOwner(1)
  self:setOwner(0)
end
