-- string.format many
-- expect: more than
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  string.format(string.rep('%99d', 200), 1)
end
