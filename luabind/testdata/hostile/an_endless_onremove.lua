-- an endless onRemove
-- expect: used up its budget
X = object "X" {}
function X:tick() self:remove() end
function X:onRemove()
  while true do end
end
