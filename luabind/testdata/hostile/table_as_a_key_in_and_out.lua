-- a table that becomes a key and none without end
-- expect: used up its budget
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  local t, k = {}, {} while true do t[k] = 1 t[k] = nil end
end
