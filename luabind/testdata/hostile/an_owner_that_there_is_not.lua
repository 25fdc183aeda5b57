-- an owner that there is not
-- expect: is not a player
X = object "X" {}
function X:tick()
  self:setOwner(1e9)
end
