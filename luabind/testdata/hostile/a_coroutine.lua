-- a coroutine
-- expect: refused: coroutine is not defined
x = coroutine.create(function() end)
