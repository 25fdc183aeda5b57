-- spawning in onRemove
-- expect: fine
X = object "X" {}
function X:tick() self:remove() end
function X:onRemove() spawn("X") end
