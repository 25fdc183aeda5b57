-- the environment
-- expect: refused: setfenv is not defined
setfenv(1, {})
