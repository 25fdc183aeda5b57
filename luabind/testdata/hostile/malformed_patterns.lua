-- malformed patterns
-- expect: malformed
X = object "X" {}
function X:tick()
  string.find("a", "[a")
end
