-- coroutines without end
-- expect: X:tick used up its budget of 1024 KiB of memory
X = object "X" { state = { n = 0 } }
function X:tick() local t = {} while true do t[#t + 1] = coroutine.wrap(function(n) coroutine.yield(n) end) t[#t](1) end end
