-- varargs doubled into tables
-- expect: fine
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  local t = {1, 2} for i = 1, 40 do t = {unpack(t), unpack(t)} local u = {unpack(t)} end
end
