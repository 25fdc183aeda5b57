-- Uses all that scripts can call, and folds what comes out into a field.
Mix = object "Mix" {
  input = { a = "bool", b = "bool", aim = { "number", min = -4, max = 4, step = 0.01 } },
  state = { x = 0, y = 0, text = str(64), seen = ref(), flag = false, n = 0 },
  aux = { born = 0 },
  objProps = { torque = 2, list = { 3, 1, 2 }, names = { "c", "a", "b" } },
  body = { shape = { polygon = { -0.6, -0.4, 0.7, -0.3, 0.1, 0.8 } }, density = 0.7, linear_damping = 0.3 },
}
Bullet = object "Bullet" { state = { life = 5 }, body = { shape = { circle = 0.1 }, layer = "shot", collides = { "default" } }, order = 1 }

function fold(self, ...)
  for i = 1, select("#", ...) do
    local v = select(i, ...)
    if type(v) == "string" then
      v = #v + (string.byte(v, 1) or 0) / 7
    elseif type(v) == "boolean" then
      v = v and 0.25 or 0.5
    elseif v == nil or v ~= v then
      v = 3
    end
    if v == math.huge or v == -math.huge then v = 9 end
    self.x = (self.x * 1.0009765625 + v * 0.37) % 1000
  end
end

function Mix:onSpawn(args)
  self.born = tickNumber()
  self.text = args.text or "level"
end

function Mix:applyInput(input)
  self:setTorque((input.a and 1 or 0) * self.objProps.torque - (input.b and 1 or 0))
  self:setDirectionalForce(self:getDirection() + input.aim, input.a and 5 or 1)
end

function Mix:think()
  return { a = random() < 0.5, b = random(3) == 2, aim = (random() - 0.5) * 9 }
end

function Mix:tick()
  local t = self.n
  self.n = t + 1
  local s = t * 0.31 - 4
  fold(self, math.sin(s), math.cos(s), math.tan(s), math.asin(s / 9), math.acos(s / 9), math.atan(s), math.atan2(s, t))
  fold(self, math.exp(s), math.log(t + 0.1), math.log10(t + 0.3), math.pow(t + 1, s), math.sqrt(t), (t + 0.5) ^ s, 2 ^ 0.3)
  fold(self, math.floor(s), math.ceil(s), math.abs(s), math.fmod(s, 0.7), math.max(s, 0.1, t), math.min(s, 1), math.deg(s), math.rad(s))
  fold(self, math.modf(s))
  fold(self, s % 0.3, -s % 0.3, s / 0, 0 / (t - t))
end
