-- The match: 3 minutes or 5 goals. After a draw the next goal wins. The goals grow while none falls.
teams { Blue = { color = "#4aa3ff" }, Red = { color = "#ff5a5a" } }
entry { name = true, team = "choose", note = "Shoot the ball into the goal of the other team. 3 minutes or 5 goals." }
game {
  state = {
    red = 0, blue = 0,       -- goals
    phase = str(8, "over"),  -- kickoff, play, golden, goal or over
    ends = 0,                -- when the phase ends, in seconds
    left = 180,              -- seconds of play that are left
    mouth = 3,               -- half the width of the goals, in metres
    grows = 0,               -- when the goals grow again
    team = str(16), by = 0,  -- who scored last: the team, and the number of the player
    level = { "number", min = 0, max = 3, step = 1 }, -- the skill of bots that play against people
  },
}
player { state = { goals = 0, passes = 0, steals = 0 } }

local MATCH, GOALS = 180, 5
local GOAL_LINE = 18

local function ball() return objects("Ball")[1] end

local function enter(phase, seconds)
  game.phase, game.ends = phase, now() + seconds
end

-- lineUp brings everybody to their places, and the ball to the middle.
local function lineUp()
  local spot = { Red = -1, Blue = -1 }
  for _, p in ipairs(objects("Player")) do
    p:lineUp(spot[p.team])
    spot[p.team] = 1
  end
  ball():lineUp()
end

-- people tells which teams have players.
local function people()
  local has = { Red = false, Blue = false }
  for _, f in ipairs(objects("Player")) do
    if f.owner ~= 0 then has[f.team] = true end
  end
  return has
end

-- grade gives the bots their skill. Those against people are beginners at first; see learn.
local function grade()
  local has = people()
  if not has.Red and not has.Blue then
    game.level = 0
    return
  end
  for _, f in ipairs(objects("Player")) do
    local other = f.team == "Red" and "Blue" or "Red"
    f.skill = (has[f.team] or not has[other]) and 2 or game.level
  end
end

-- learn makes a team of bots better after a match that people have won, and worse after one that they have lost.
local function learn()
  local has = people()
  if has.Red == has.Blue then return end
  local won = (game.red > game.blue) == has.Red
  local level = math.min(math.max(game.level + (won and 1 or -1), 0), 3)
  if level ~= game.level then cue("learned", { better = won, when = "confirmed" }) end
  game.level = level
end

-- setMouth moves the walls beside the goals.
local function setMouth(half)
  game.mouth = half
  for _, post in ipairs(objects("Post")) do post:open(half) end
end

-- kickOff brings all to their places, and the goals to their size.
local function kickOff(seconds)
  setMouth(3)
  lineUp()
  enter("kickoff", seconds)
end

local function begin()
  game.red, game.blue, game.left, game.team, game.by = 0, 0, MATCH, "", 0
  resetStats()
  kickOff(1)
end

function onStart()
  for _, side in ipairs({ -1, 1 }) do
    for _, half in ipairs({ -1, 1 }) do
      spawn("Post", { x = side * (GOAL_LINE + 0.3), y = half * 7, side = half })
    end
  end
  fillTeams("Player", 4)
  for _, side in ipairs({ -1, 1 }) do spawn("Net", { x = side * (GOAL_LINE + 1.3) }) end
end

function onJoin(p, asked)
  setTeam(p, asked.team or smallestTeam())
end

-- What a player owned is not removed: see release.
function onLeave() end

-- release lets a bot play on at once with the footballer of a player who is away, who gets a place again on returning.
local function release()
  local here = {}
  for _, p in ipairs(players()) do here[p] = true end
  for _, class in ipairs({ "Player", "Ball" }) do
    for _, o in ipairs(objects(class)) do
      if o.owner ~= 0 and not here[o.owner] then o:setOwner(0) end
    end
  end
end

-- score counts a goal for a team.
local function score(team)
  local b = ball()
  if team == "Red" then game.red = game.red + 1 else game.blue = game.blue + 1 end
  local scorer = b.kicker
  local own = not (scorer and scorer.team == team)
  game.team, game.by = team, scorer and scorer.owner or 0
  local mine = scorer and not own and stats(scorer.owner)
  if mine then mine.goals = mine.goals + 1 end
  local x, y = b:getPosition()
  cue("goal", { x = x, y = y, team = team, by = game.by, own = own, when = "confirmed" })
  local over = game.phase == "golden" or game.red >= GOALS or game.blue >= GOALS
  enter(over and "over" or "goal", over and 6 or 0.8)
end

local function playOn()
  local x = ball():getPosition()
  if math.abs(x) > GOAL_LINE + 0.3 then
    score(x < 0 and "Blue" or "Red")
    return
  end
  if now() >= game.grows then
    game.grows = now() + 3.5
    setMouth(math.min(game.mouth * 1.1, 8))
  end
  if game.phase == "play" then
    game.left = math.max(0, game.ends - now())
    if game.left > 0 then return end
    if game.red == game.blue then
      game.phase = "golden"
      cue("golden", { when = "confirmed" })
    else
      game.team = game.red > game.blue and "Red" or "Blue"
      enter("over", 6)
    end
  end
end

-- seat gives players who have a team and no footballer one that a bot plays. If no bot plays for their team, they change to
-- the other one, unless no bot plays for that, either.
local function seat()
  local has, bots = {}, { Red = 0, Blue = 0 }
  for _, f in ipairs(objects("Player")) do
    has[f.owner] = true
    if f.owner == 0 then bots[f.team] = bots[f.team] + 1 end
  end
  for _, p in ipairs(players()) do
    local team = stats(p).team
    if not has[p] and team ~= "" then
      local other = team == "Red" and "Blue" or "Red"
      if bots[team] == 0 and bots[other] > 0 then
        team = other
        setTeam(p, team)
      end
      if takeOver(p, "Player") then bots[team] = bots[team] - 1 end
    end
  end
end

function tick()
  seat()
  grade()
  if game.phase == "play" or game.phase == "golden" then
    playOn()
  elseif now() >= game.ends then
    if game.phase == "over" then
      learn()
      begin()
    elseif game.phase == "goal" then
      kickOff(0.5)
    else
      enter("play", game.left)
      game.grows = now() + 8
      cue("whistle")
    end
  end
  release() -- last: who owns what changes when the tick ends
end
