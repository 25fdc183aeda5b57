-- keeping a removed object
-- expect: has been removed
X = object "X" { state = { r = ref() } }
Y = object "Y" {}
function Y:tick() self:remove() end
function X:tick()
  if not self.r then self.r = spawn("Y") end
  if not self.r:valid() then local x = self.r.owner end
end
