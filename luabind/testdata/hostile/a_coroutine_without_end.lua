-- a coroutine without end
-- expect: X:tick used up its budget of 100000 instructions
X = object "X" { state = { n = 0 } }
function X:tick() while true do pcall(coroutine.resume, coroutine.create(function() while true do end end)) end end
