-- long chains of __index in tables of files
-- expect: used up its budget
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
chain = {} for i = 1, 90 do chain = setmetatable({}, { __index = chain }) end
function X:tick()
  while true do local _ = chain.x end
end
