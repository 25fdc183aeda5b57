-- a table with a metatable and numbers far apart
-- expect: fine
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  local t = setmetatable({}, { __index = function(t, k) return -k end }) for i = 1, 20 do t[i * 3000] = i end for i = 1, 20 do assert(t[i * 3000] == i and t[i * 3000 + 1] == -i * 3000 - 1) end assert(#t == 0)
end
