-- keys without end
-- expect: used up its budget
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  local t = {} local i = 0 while true do i = i + 1 t['k' .. i] = i end
end
