-- a coroutine kept for the next hook
-- expect: the coroutine was made while the files were loaded, or in another hook: a coroutine lives as long as the hook that makes it
local co = coroutine.create(function() while true do coroutine.yield() end end)
X = object "X" { state = { n = 0 } }
function X:tick() coroutine.resume(co) end
