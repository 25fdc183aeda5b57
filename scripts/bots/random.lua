-- Holds buttons for 10 to 40 ticks, then others. A bot remembers nothing, so
-- each button has a period of its own, and whether it is down in a period is
-- a scrambled number of object, button and period.

-- A number in [0, 1) that looks random, for three whole numbers.
local function scramble(a, b, c)
  local v = math.sin(a * 12.9898 + b * 78.233 + c * 37.719) * 43758.5453
  return v - math.floor(v)
end

local function held(id, button, tick, part)
  local period = 10 + math.floor(31 * scramble(id, button, 0))
  return scramble(id, button, 1 + math.floor(tick / period)) < part
end

function bot(me, world)
  local id = tonumber(string.sub(me.id, -4), 16)
  local tick = world.tickNumber()
  return {
    Turnleft = held(id, 1, tick, 0.3),
    Turnright = held(id, 2, tick, 0.3),
    Accel = held(id, 3, tick, 0.6),
  }
end
