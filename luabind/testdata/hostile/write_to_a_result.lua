-- write to a result
-- expect: read-only
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  local l = objects('X') l[1] = nil
end
