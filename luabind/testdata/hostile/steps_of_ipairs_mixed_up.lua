-- steps of ipairs mixed up
-- expect: fine
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  local step = ipairs({}) step({}, 1e300) step({}, -1e300) step({}, 0/0)
end
