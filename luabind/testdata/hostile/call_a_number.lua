-- call a number
-- expect: call a number value
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  local x = 5 x()
end
