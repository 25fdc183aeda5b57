-- writing to everybody
-- expect: fine
X = object "X" { state = { n = 0 } }
function X:tick()
  for _, o in ipairs(objects("X")) do o.n = o.n + 1 end
end
