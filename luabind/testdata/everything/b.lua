function Mix:more()
  local t, s = self.n, self.n * 0.77 - 3
  local x, y = self:getPosition()
  local vx, vy = self:getVelocity()
  fold(self, x, y, vx, vy, self:getDirection(), self:getAngularVelocity(), self:getMass(), self.owner, self.id)
  fold(self, vec.length(s, t), vec.dot(1, s, t, 2), vec.angle(s, t), vec.distance(s, 0, 0, t), vec.normalize(s, t))
  fold(self, vec.rotate(s, t, 0.3), vec.fromAngle(s, t))
  fold(self, vec.fromAngle(s))
  fold(self, string.format("%d %5.2f %g %x %s %q %e", t, s, s * 1e9, t + 255, tostring(s), "q\n", s))
  fold(self, string.sub("hello", 2, -2), string.upper("x" .. s), string.rep("ab", t % 4), string.find("abcabc", "ca"))
  fold(self, tostring(s), tostring(1 / 3), tostring(s * 1e20), tonumber("0x1f") + tonumber("1.5e3"), #tostring(self))
  local list = { unpack(self.objProps.list) }
  table.sort(list, function(a, b) return a > b end)
  table.insert(list, 2, s)
  table.remove(list, 1)
  local keys = ""
  for k, v in pairs({ z = 1, a = 2, [t + 5] = 3, [2] = 4, [true] = 5 }) do keys = keys .. tostring(k) .. tostring(v) end
  fold(self, table.concat(list, ","), keys, next({ b = 1, a = 2 }), random(), random(10), random(-5, 5), now(), tickNumber())
  for i, name in ipairs(self.objProps.names) do fold(self, i, name) end
  self.text = string.sub(keys .. self.text, 1, 60)
  local hit, hx, hy, nx, ny, f = raycast(x, y, x + 20, y + s)
  if hit then fold(self, hit.class, hx, hy, nx, ny, f) end
  for _, o in ipairs(overlapCircle(x, y, 9)) do fold(self, o.id, o:getPosition()) end
  for _, o in ipairs(overlapBox(x, y, 12, 3, "default")) do fold(self, o.class) end
  for _, o in ipairs(raycastAll(x, y, x - 20, y + s)) do fold(self, o.id) end
  for _, o in ipairs(overlapPolygon({ x - 5, y - 4, x + 5, y - 4, x, y + 5 })) do fold(self, o.id) end
  local cast, at = circleCast(x, y, x + 20 * s, y + 9, 0.4)
  if cast then fold(self, cast.id, at) end
  self.seen = nearest("Mix", x, y, 30)
  if self.seen then
    fold(self, self.seen.x, self.seen.text)
    self.seen.y = self.seen.y + self.x
    self.seen:applyImpulse(0.01, s * 0.001)
    self.seen:applyForce(s, 0.5)
  end
  self.flag = #objects("Bullet") % 2 == 0
  if t % 3 == 0 then
    local b = spawn("Bullet", { x = x + 1.5, y = y, vx = 3, vy = s, angle = s, life = 2 + t % 5, owner = #players() })
    fold(self, b.life, b.id)
  end
  self:setForce(s * 0.1, math.cos(t))
  self:applyTorque(s * 0.01)
  self:applyAngularImpulse(0.001)
  if t % 7 == 6 then self:setPosition(x * 0.5, y * 0.5) self:setVelocity(vy * 0.3, vx * 0.1) self:setDirection(s) self:setAngularVelocity(0.2) end
end
local before = Mix.tick
function Mix:tick() before(self) self:more() end
function Bullet:tick() self.life = self.life - 1 if self.life <= 0 then self:remove() end end
function Bullet:onSpawn(args) self:applyImpulse(0.001, args.vy or 0) game.shots = game.shots + 1 end
function Mix:onContact(other, c) fold(self, other.class, c.x, c.y, c.nx, c.ny, c.impulse) end
