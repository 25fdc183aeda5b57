-- coroutines within each other
-- expect: coroutines within coroutines: at most 20 deep
X = object "X" { state = { n = 0 } }
local function f() return coroutine.wrap(f)() end
function X:tick() f() end
