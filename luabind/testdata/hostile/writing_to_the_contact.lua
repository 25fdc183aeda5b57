-- writing to the contact
-- expect: read-only
X = object "X" { body = { shape = { circle = 1 } } }
function X:onContact(other, c)
  c.x = 5
end
