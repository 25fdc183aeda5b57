-- require of a part of the language
-- expect: refused: require("os"): there is no file os.lua
os = require("os")
