-- metatables without end
-- expect: used up its budget
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  local list = {} while true do list[#list + 1] = setmetatable({}, {}) end
end
