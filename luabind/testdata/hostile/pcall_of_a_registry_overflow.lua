-- a Go panic of the interpreter within pcall
-- expect: too deep
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  local function f(...) return f(1, ...) end while true do pcall(f, 1) end
end
