-- gmatch kept for the next hook
-- expect: in another hook
iterate = string.gmatch("a b c", "%a")
X = object "X" {}
function X:tick()
  print(iterate())
end
