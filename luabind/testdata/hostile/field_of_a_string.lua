-- field of a string
-- expect: attempt to index a string value
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  local s = 'x' s.y = 1
end
