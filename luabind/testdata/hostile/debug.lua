-- debug
-- expect: refused: debug is not defined
debug.sethook()
