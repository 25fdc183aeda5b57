-- A footballer runs, passes, kicks and tackles. Players steer the four of them; bots steer those
-- that nobody plays (player_think.lua).
Player = object "Player" {
  input    = { x = { "number", min = -1, max = 1, step = 0.05 }, y = { "number", min = -1, max = 1, step = 0.05 },
               Kick = "bool", Pass = "bool", Tackle = "bool" },
  controls = { x = { "d", "-a", "ArrowRight", "-ArrowLeft", "pad:lx" }, y = { "w", "-s", "ArrowUp", "-ArrowDown", "-pad:ly" },
               Kick = { "space", "mouse:left", "pad:a" }, Pass = { "e", "mouse:right", "pad:x" }, Tackle = { "q", "shift", "pad:b" } },
  state    = { team = str(16), spot = 1, number = 0, skill = { "number", min = 0, max = 3, step = 1, default = 2 }, -- of a bot: beginner, easy, medium, hard
                tint = str(8), charge = { "number", min = 0, max = 0.5 },
               rest = 0,   -- until when it cannot tackle again, in seconds
               dazed = 0,  -- until when it cannot run
               away = 0,   -- until when it does not take the ball
               tx = 0, ty = 0, plan = str(8), hold = 0 }, -- of a bot: where it runs, what it does, how long it charges
  objProps = { speed = 7.5, carry = 6.3, accel = 11, turn = 14, charge = 0.5, soft = 8, hard = 22, reach = 1.5, again = 2, help = math.rad(25) },
  body     = { shape = { circle = 0.45 }, mass = 70, friction = 0, restitution = 0.2, linear_damping = 0.5, sleep = false },
  look     = { shape = "arrow", color = "{tint}" },
}

function Player:onSpawn()
  self.tint = teamColor(self.team)
end

-- migrate: new scripts may have another colour for the team.
Player.migrate = Player.onSpawn

-- side is where the goal is that the team attacks.
function Player:side() return self.team == "Red" and 1 or -1 end

local function ball() return objects("Ball")[1] end

function Player:hasBall() return ball():getHolder() == self end

function Player:lineUp(spot)
  self.spot, self.number = spot, spot + self:side()
  self:setPosition(-self:side() * 8, spot * 3)
  self:setVelocity(0, 0)
  self:setDirection(self.team == "Red" and 0 or math.pi)
  self:setAngularVelocity(0)
  self.charge, self.rest, self.dazed, self.away, self.plan, self.hold = 0, 0, 0, 0, "", 0
end

local function turned(angle) return (angle + math.pi) % (2 * math.pi) - math.pi end

-- run moves the footballer towards a direction; it turns there, too.
function Player:run(x, y)
  local props = self.objProps
  local long = vec.length(x, y)
  if long > 1 then x, y = x / long, y / long end
  local speed = self:hasBall() and props.carry or props.speed
  if self.charge > 0 then speed = speed * 0.6 end
  if now() < self.dazed or game.phase == "kickoff" or game.phase == "over" then speed = 0 end
  local vx, vy = self:getVelocity()
  local push = self:getMass() * props.accel
  self:setForce(push * (speed * x - vx), push * (speed * y - vy))
  local w = 0
  if long > 0.1 then w = turned(vec.angle(x, y) - self:getDirection()) * props.turn end
  self:setAngularVelocity(w)
end

function Player:applyInput(input)
  self:run(input.x, input.y)
  local playing = game.phase == "play" or game.phase == "golden"
  if self:hasBall() and playing then
    if input:pressed("Pass") then
      self:pass()
    elseif input.Kick then
      self.charge = math.min(self.charge + 1 / 60, self.objProps.charge)
    elseif self.charge > 0 then
      self:kick()
    end
  else
    self.charge = 0
    if playing and input:pressed("Tackle") then self:tackle() end
  end
end

-- shoot sends the ball off.
function Player:shoot(angle, speed, what)
  self.charge, self.away = 0, now() + 0.35
  ball():fly(angle, speed)
  local x, y = self:getPosition()
  cue(what, { x = x, y = y, angle = angle, power = speed })
end

function Player:kick()
  local props = self.objProps
  self:shoot(self:getDirection(), props.soft + (props.hard - props.soft) * self.charge / props.charge, "kick")
end

-- mate returns the team mate, and the direction and distance to where it will be.
function Player:mate()
  local x, y = self:getPosition()
  for _, p in ipairs(objects("Player")) do
    if p.team == self.team and p ~= self then
      local px, py = p:getPosition()
      local vx, vy = p:getVelocity()
      px, py = px + vx * 0.35, py + vy * 0.35
      return p, vec.angle(px - x, py - y), vec.distance(x, y, px, py)
    end
  end
end

-- pass plays the ball forward. If the team mate is about there, it goes to the mate.
function Player:pass()
  local props, angle, speed = self.objProps, self:getDirection(), 10
  local _, to, far = self:mate()
  if to and math.abs(turned(to - angle)) < props.help then
    angle, speed = to, math.min(math.max(5 + far, 7), 18)
  end
  ball().passer = self
  self:shoot(angle, speed, "pass")
end

-- tackle takes the ball from an opponent in reach.
function Player:tackle()
  if now() < self.rest then return end
  self.rest = now() + self.objProps.again
  local x, y = self:getPosition()
  local holder = ball():getHolder()
  cue("tackle", { x = x, y = y })
  if not holder or holder.team == self.team then return end
  local hx, hy = holder:getPosition()
  if vec.distance(x, y, hx, hy) > self.objProps.reach then return end
  holder.dazed, holder.away, holder.charge = now() + 0.5, now() + 0.8, 0
  ball():take(self)
  local mine = stats(self.owner)
  if mine then mine.steals = mine.steals + 1 end
  cue("steal", { x = hx, y = hy, steals = mine and mine.steals or 0 })
end

function Player:onContact(other)
  if other and other.class == "Ball" and not other:getHolder() and now() >= self.away
    and (game.phase == "play" or game.phase == "golden") then
    other:take(self)
  end
end
