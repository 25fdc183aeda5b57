-- removing self in every hook
-- expect: fine
X = object "X" { body = { shape = { circle = 1 } } }
function X:onSpawn() self:remove() end
function X:tick() self:remove() end
function X:onContact(other) self:remove() other:remove() end
function X:onRemove() self:remove() end
