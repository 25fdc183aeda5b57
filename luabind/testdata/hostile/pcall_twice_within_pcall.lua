-- a tree of pcalls
-- expect: used up its budget
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  local function f() pcall(f) pcall(f) end f()
end
