-- gsub that grows
-- expect: more than 65536 bytes
X = object "X" {}
function X:tick()
  string.gsub("aa", "a", { a = string.rep("x", 40000) })
end
