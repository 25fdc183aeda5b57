-- a recursion in a coroutine
-- expect: functions call each other too deep
X = object "X" { state = { n = 0 } }
local function f(n) return 1 + f(n + 1) end
function X:tick() coroutine.resume(coroutine.create(f), 1) end
