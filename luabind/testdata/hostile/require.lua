-- require
-- expect: refused: require is not defined
local m = require("os")
