-- a recursion within pcall
-- expect: too deep
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  local function f() return 1 + f() end while true do pcall(f) end
end
