-- a metatable that changes without end
-- expect: used up its budget
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  local mt = {} local t = setmetatable({}, mt) while true do mt.__index = t mt.__index = nil end
end
