-- error with a function
-- expect: an error value of type function
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  error(print)
end
