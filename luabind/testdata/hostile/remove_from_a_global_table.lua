-- remove from a global table
-- expect: read-only
shared = { 3, 1, 2 }
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  table.remove(shared)
end
