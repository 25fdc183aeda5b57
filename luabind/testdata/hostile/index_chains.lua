-- long chains of __index
-- expect: used up its budget
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  local t = {} for i = 1, 90 do t = setmetatable({}, { __index = t }) end while true do local _ = t.x end
end
