-- steps of pairs from anywhere
-- expect: fine
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  local step, w = pairs({1}) step(w, {}) step(w, 0/0) step(w, self) step(w, 'x')
end
