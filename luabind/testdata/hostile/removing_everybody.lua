-- removing everybody
-- expect: the game cannot be removed
X = object "X" {}
function X:tick()
  for _, o in ipairs(objects("X")) do o:remove() end
  game:remove()
end
