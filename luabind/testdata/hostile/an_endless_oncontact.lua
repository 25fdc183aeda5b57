-- an endless onContact
-- expect: used up its budget
X = object "X" { body = { shape = { circle = 1 } } }
function X:onContact(other)
  while true do end
end
