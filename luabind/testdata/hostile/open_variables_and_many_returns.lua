-- open variables and many returns
-- expect: used up its budget
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  local function tiny() end
  local function deep(n)
    local a, b, c, d, e, f, g, h = 1, 2, 3, 4, 5, 6, 7, 8
    local all = function() return a + b + c + d + e + f + g + h end
    if n > 0 then return 1 + deep(n - 1) end
    while true do tiny() end
  end
  deep(100)
end
