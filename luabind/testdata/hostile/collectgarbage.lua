-- collectgarbage
-- expect: refused: collectgarbage is not defined
collectgarbage("count")
