-- pcall of itself
-- expect: fine
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  assert(pcall(pcall, pcall, pcall, pcall))
end
