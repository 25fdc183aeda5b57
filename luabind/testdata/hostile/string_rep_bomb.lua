-- string.rep bomb
-- expect: at most 65536
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  string.rep('x', 1e9)
end
