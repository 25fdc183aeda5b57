-- goto
-- expect: refused: goto
X = object "X" {}
function X:tick()
  while true do goto done end
  ::done::
end
