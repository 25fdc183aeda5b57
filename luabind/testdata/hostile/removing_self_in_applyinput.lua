-- removing self in applyInput
-- expect: fine
X = object "X" { input = { go = "bool" } }
function X:applyInput(input)
  self:remove()
  self:remove()
end
