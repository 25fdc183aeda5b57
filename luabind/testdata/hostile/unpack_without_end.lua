-- unpack without end
-- expect: at most
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  unpack({}, 1, 1e8)
end
