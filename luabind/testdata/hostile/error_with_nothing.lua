-- error with nothing
-- expect: an error value of type nil
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  error()
end
