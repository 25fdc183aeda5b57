-- string.format bomb
-- expect: fine
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  string.format('%99.99f', 1e308)
end
