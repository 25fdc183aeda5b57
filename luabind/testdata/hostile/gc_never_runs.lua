-- __gc and __mode mean nothing
-- expect: fine
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  for i = 1, 100 do setmetatable({}, { __gc = function() error("gc") end, __mode = "kv" }) end
end
