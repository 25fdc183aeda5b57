-- huge index
-- expect: fine
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  local t = {} t[67108863] = 1 t[1e15] = 1 t[-5] = 1 t[0.5] = 1
end
