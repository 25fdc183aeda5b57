-- How a footballer plays that no player steers. Every now and then it decides what it does.

-- By skill: beginner, easy, medium, hard.
local REACTION = { [0] = 26, 16, 13, 9 }       -- ticks between two decisions
local AIM = { [0] = 16, 10, 6, 3 }             -- degrees by which a shot may be off
local TACKLE = { [0] = 0.01, 0.05, 0.09, 0.12 } -- how probably it tackles in a tick in which it can

local function ball() return objects("Ball")[1] end

-- toBall returns how far a footballer is from where the ball will be, and that place.
local function toBall(p)
  local b = ball()
  local x, y = b:getPosition()
  local vx, vy = b:getVelocity()
  local px, py = p:getPosition()
  local soon = math.min(vec.distance(px, py, x, y) / 9, 0.8)
  x, y = x + vx * soon, y + vy * soon
  return vec.distance(px, py, x, y), x, y
end

-- pressed reports whether an opponent is near.
local function pressed(self, within)
  local x, y = self:getPosition()
  for _, p in ipairs(objects("Player")) do
    if p.team ~= self.team then
      local px, py = p:getPosition()
      if vec.distance(x, y, px, py) < within then return true end
    end
  end
  return false
end

-- free reports whether no opponent is in the way to a place.
local function free(self, tx, ty)
  local x, y = self:getPosition()
  for _, p in ipairs(objects("Player")) do
    if p.team ~= self.team then
      local px, py = p:getPosition()
      local dx, dy = vec.normalize(tx - x, ty - y)
      local along = vec.dot(px - x, py - y, dx, dy)
      if along > 0 and along < vec.distance(x, y, tx, ty) and math.abs((px - x) * dy - (py - y) * dx) < 1 then return false end
    end
  end
  return true
end

-- behind returns by how many goals the team is behind, below 0 if it leads. Bots that are behind tackle more often and
-- shoot from afar; bots that lead are careless.
local function behind(self)
  return self:side() * (game.blue - game.red)
end

-- withBall decides what to do with the ball.
function Player:withBall()
  local x, y = self:getPosition()
  local goal = 18.5 * self:side()
  local corner = (random() < 0.5 and -1 or 1) * game.mouth * 0.6
  local off = math.tan(math.rad(AIM[self.skill]) * (2 * random() - 1)) * (1 + 0.8 * math.max(0, -behind(self)))
  local far = math.abs(goal - x)
  if far < 14 + 1.5 * behind(self) and free(self, goal, corner) then
    self.plan, self.hold, self.tx, self.ty = "shoot", far / 40, goal, corner + off * far
    return
  end
  local mate, angle = self:mate()
  local mx, my = mate:getPosition()
  if pressed(self, 2.4) and free(self, mx, my) and (mx - x) * self:side() > -6 then
    self.plan, self.tx, self.ty = "pass", mx, my
    return
  end
  self.plan, self.tx = "run", goal
  self.ty = pressed(self, 4) and (y > 0 and -5 or 5) or corner
end

-- withoutBall decides where to run.
function Player:withoutBall()
  local mine, bx, by = toBall(self)
  local mate = self:mate()
  local holder = ball():getHolder()
  local home = -17 * self:side()
  if holder and holder.team == self.team then
    local hx, hy = holder:getPosition()
    self.plan, self.tx, self.ty = "support", hx + 6 * self:side(), hy > 0 and hy - 7 or hy + 7
  elseif mine <= toBall(mate) or not mate then
    self.plan, self.tx, self.ty = "chase", bx, by
  else
    self.plan, self.tx, self.ty = "keep", (home + bx * 0.6) / 1.6, by * 0.45
  end
end

function Player:think()
  if (tickNumber() + self.number * 4) % REACTION[self.skill] == 0 then
    if not self:hasBall() then
      self:withoutBall()
    elseif self.charge == 0 then
      self:withBall()
    end
  end
  local x, y = self:getPosition()
  local dx, dy = self.tx - x, self.ty - y
  local far = vec.length(dx, dy)
  dx, dy = vec.normalize(dx, dy)
  local input = { x = dx, y = dy }
  if far < 0.6 then input.x, input.y = dx * far, dy * far end
  local off = math.abs((vec.angle(dx, dy) - self:getDirection() + math.pi) % (2 * math.pi) - math.pi)
  if self:hasBall() then
    if self.plan == "shoot" then
      input.Kick = self.charge < self.hold or off > 0.12 and self.charge < self.objProps.charge
    elseif self.plan == "pass" then
      input.Pass = off < 0.3
    end
  else
    local holder = ball():getHolder()
    if holder and holder.team ~= self.team and now() >= self.rest then
      local hx, hy = holder:getPosition()
      input.Tackle = vec.distance(x, y, hx, hy) < 1.3 and random() < TACKLE[self.skill] + 0.1 * math.max(0, behind(self))
    end
  end
  return input
end
