-- write to a table in a closure
-- expect: read-only
local secret = {}
function hidden(v) secret[1] = v end
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  hidden(1)
end
