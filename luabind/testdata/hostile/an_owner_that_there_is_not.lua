-- an owner that there is not
-- expect: is no player
X = object "X" {}
function X:tick()
  self:setOwner(1e9)
end
