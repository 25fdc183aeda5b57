-- error with a table
-- expect: an error value of type table
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  error({code = 5})
end
