-- error that lies
-- expect: not here
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  error('x.lua:99: not here', 0)
end
