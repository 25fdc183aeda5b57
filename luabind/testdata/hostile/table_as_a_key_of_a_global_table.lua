-- a table as a key of a table of the file
-- expect: seen is read-only: it is a table of the files
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
seen = {}
function X:tick()
  seen[{}] = true
end
