-- gsub that calls itself
-- expect: too deep
X = object "X" {}
local function f(s) return (string.gsub(s, ".", f)) end
function X:tick()
  f("a")
end
