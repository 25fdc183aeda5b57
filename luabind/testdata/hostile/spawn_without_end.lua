-- spawn without end
-- expect: too many
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
Y = object "Y" {}
function Y:tick() self:remove() end
function X:tick()
  while true do spawn('Y') end
end
