-- handle as a key
-- expect: fine
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  local t = {} t[self] = 1 assert(t[self] == 1)
end
