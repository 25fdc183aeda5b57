-- string that doubles
-- expect: at most 65536
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  local s = 'x' while true do s = s .. s end
end
