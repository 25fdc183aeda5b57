-- pcall within pcall without end
-- expect: fine
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  local deep = 0 local function f() deep = deep + 1 local ok, err = pcall(f) assert(not ok or deep <= 21) error(err, 0) end local ok, err = pcall(f) assert(not ok and err:find("at most 20 deep"), err)
end
