-- keeping a removed object
-- expect: attempt to index
X = object "X" { state = { r = ref(), n = 0 } }
Y = object "Y" {}
function Y:tick() self:remove() end
function X:tick()
  if self.n == 0 then self.r = spawn("Y") end
  self.n = self.n + 1
  if self.r == nil then local x = self.r.owner end
end
