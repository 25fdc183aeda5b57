-- gsub that grows
-- expect: more than 1024 bytes
X = object "X" {}
function X:tick()
  string.gsub(string.rep("a", 1000), "a", "%0%0%0")
end
