-- infinite force
-- expect: finite
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  self:setForce(1/0, 0)
end
