-- The match: every player who joins gets a ship. A round is won by who has 10 points first, or the
-- most after two minutes: see Ship:ram.
entry { note = "Ram drones with your nose, and ships from behind or from the side. First to 10 points." }
game {
  state = {
    joins = 0,
    phase = str(8, "play"), -- play or over
    ends = 120,             -- when the phase ends, in seconds
    winner = { "number", min = 0, max = 255, step = 1 }, -- of the last round: the number of a player; 0 for nobody
  },
}

-- Counts are whole and small, and so are snapshots.
local count = { "number", min = 0, max = 999, step = 1 }
player { state = { points = count, rams = count, hurt = count, wins = count } } -- hurt: how often others rammed them

local ROUND, BREAK = 120, 6

-- A position with free space around it, if one is found in a few tries.
local function freePlace()
  local x, y
  for _ = 1, 12 do
    x = (random() - 0.5) * (arena.width - 4)
    y = (random() - 0.5) * (arena.height - 4)
    if #overlapCircle(x, y, 1.2) == 0 then
      break
    end
  end
  return x, y
end

function onJoin(player)
  game.joins = game.joins + 1
  local x, y = freePlace()
  spawn("Ship", { x = x, y = y, angle = (random() - 0.5) * 2 * math.pi, owner = player })
end

-- leader returns the player with the most points; 0 if nobody has more than all others.
local function leader()
  local best, most = 0, 0
  for _, p in ipairs(players()) do
    local points = stats(p).points
    if points > most then
      best, most = p, points
    elseif points == most then
      best = 0
    end
  end
  return best
end

-- Ships end the round early with game.ends = now().
function tick()
  if now() < game.ends then return end
  if game.phase == "play" then
    game.phase, game.ends, game.winner = "over", now() + BREAK, leader()
    local winner = stats(game.winner)
    if winner then winner.wins = winner.wins + 1 end
    cue("over", { winner = game.winner, when = "confirmed" })
  else
    game.phase, game.ends = "play", now() + ROUND
    for _, p in ipairs(players()) do
      local s = stats(p)
      s.points, s.rams, s.hurt = 0, 0, 0
    end
    cue("begin", { when = "confirmed" })
  end
end
