-- Reports whether an object's nose points at another one, within 45 degrees.
return function(self, other)
  local x, y = self:getPosition()
  local ox, oy = other:getPosition()
  local off = (vec.angle(ox - x, oy - y) - self:getDirection() + math.pi) % (2 * math.pi) - math.pi
  return math.abs(off) < math.pi / 4
end
