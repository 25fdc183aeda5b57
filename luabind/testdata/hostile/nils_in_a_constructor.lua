-- nils in a constructor
-- expect: used up its budget
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  local function n() end while true do local t = {n(), nil, n(), nil} local x = #t end
end
