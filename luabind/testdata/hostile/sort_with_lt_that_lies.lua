-- an __lt that lies
-- expect: fine
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  local mt, l = { __lt = function() return true end }, {} for i = 1, 50 do l[i] = setmetatable({}, mt) end table.sort(l)
end
