-- How soccer plays. Run by "host test soccer".

local function ball() return objects("Ball")[1] end

local function mine(player)
  for _, p in ipairs(objects("Player")) do
    if p.owner == player then return p end
  end
end

local function speed(o) return vec.length(o:getVelocity()) end

-- run steers the footballer of player 1 to where place says, until done is true or the time is over.
local function run(w, seconds, place, done)
  w:step(3)
  for i = 1, seconds * 60 do
    if done() then return true end
    local x, y = mine(1):getPosition()
    local tx, ty = place()
    local dx, dy = vec.normalize(tx - x, ty - y)
    local holder = ball():getHolder()
    local near = holder and holder.team ~= mine(1).team and vec.distance(x, y, holder:getPosition()) < 1.4
    w:input(1, { x = dx, y = dy, Tackle = near and i % 2 == 0 })
    w:step(1)
  end
  return done()
end

local function holds() return mine(1) ~= nil and ball():getHolder() == mine(1) end

-- fetch runs player 1 to the ball until the player has it.
local function fetch(t, w)
  t:ok(run(w, 40, function() return ball():getPosition() end, holds), "the player gets the ball")
end

test("bots play until the match is over, and then another one", function(t)
  local w = t:world {}
  local goals, first = 0, nil
  for i = 1, 300 * 60 do
    w:step(1)
    if game.phase == "over" then break end
    if game.red + game.blue > goals then
      goals, first = game.red + game.blue, first or i / 60
      t:ok(game.phase == "goal", "play stops after a goal")
    end
  end
  t:eq(game.phase, "over")
  t:ok(game.red ~= game.blue, "somebody won")
  t:ok(first and first < 90, "the first goal came in time")
  w:step(60 * 7 - 30)
  t:eq(game.phase, "kickoff")
  t:eq(game.red + game.blue, 0)
end)

test("players take places in the smaller team, and bots play on", function(t)
  local w = t:world { players = 3 }
  w:step(5)
  local count = { Red = 0, Blue = 0 }
  for p = 1, 3 do
    t:eq(stats(p).team, mine(p).team)
    count[mine(p).team] = count[mine(p).team] + 1
  end
  t:eq(math.abs(count.Red - count.Blue), 1)
  t:eq(#objects("Player"), 4)
end)

test("a player whose team has no bot changes to the other team when that one has a bot", function(t)
  local w = t:world { players = 5 }
  w:step(5)
  t:eq(mine(5), nil, "all four places are taken")
  t:eq(stats(5).team, "Blue", "with two players in each team, the first one by name")
  w:spawn("Player", { team = "Red" })
  w:step(3)
  t:ok(mine(5), "the player has the footballer of the other team")
  t:eq(mine(5).team, "Red")
  t:eq(stats(5).team, "Red")
end)

test("nobody runs and nobody has the ball before the whistle", function(t)
  local w = t:world { players = 1 }
  w:step(2)
  local x = mine(1):getPosition()
  w:input(1, { x = 1, Tackle = true })
  w:step(50)
  t:near(mine(1):getPosition(), x, 0.2)
  t:eq(ball():getHolder(), nil)
  w:step(60)
  t:ok(math.abs(mine(1):getPosition() - x) > 2, "the player runs")
end)

-- alone reports whether nobody else is near the ball.
local function alone()
  local x, y = ball():getPosition()
  for _, p in ipairs(objects("Player")) do
    if p ~= mine(1) and vec.distance(x, y, p:getPosition()) < 1.2 then return false end
  end
  return math.abs(x) < 16 and math.abs(y) < 9
end

-- kicked returns how fast the ball is after a kick that is charged for some ticks, with nobody near.
local function kicked(t, w, ticks)
  for _ = 1, 40 do
    fetch(t, w)
    w:input(1, { Kick = true })
    w:step(ticks)
    if holds() and alone() then
      w:input(1, {})
      w:step(2)
      if not ball():getHolder() then return speed(ball()) end
    end
    w:input(1, {})
    w:step(30)
  end
  t:ok(false, "no kick succeeded")
end

test("a kick is harder the longer it is charged", function(t)
  local w = t:world { players = 1, seed = 1 }
  local soft = kicked(t, w, 2)
  local hard = kicked(t, w, 25)
  t:near(soft, 9.5, 1.5, "a soft kick")
  t:near(hard, 20, 2, "a hard kick")
end)

test("a tackle takes the ball from an opponent in reach", function(t)
  local w = t:world { players = 1, seed = 1 }
  local function near()
    local holder = ball():getHolder()
    if not holder or holder.team == mine(1).team then return false end
    local x, y = mine(1):getPosition()
    return vec.distance(x, y, holder:getPosition()) < 1.3 and (game.phase == "play")
  end
  t:ok(run(w, 60, function() return ball():getPosition() end, near), "an opponent with the ball is near")
  local before = stats(1).steals
  w:input(1, { Tackle = true })
  w:step(2)
  t:ok(holds(), "the player has the ball")
  t:eq(stats(1).steals, before + 1)
end)

test("who scores is counted for the player", function(t)
  local w = t:world { players = 1, seed = 1 }
  w:step(2)
  local goal = mine(1).team == "Red" and 19 or -19
  local scored = run(w, 120, function()
    if holds() then return goal, 0 end
    return ball():getPosition()
  end, function() return stats(1).goals > 0 end)
  t:ok(scored, "the player scores by running into the goal")
  t:eq(game.by, 1)
end)

test("on a bad line a kick is on the player's own screen at once", function(t)
  local w = t:world { players = 1, net = "bad" }
  t:ok(run(w, 40, function() return ball():getPosition() end, holds), "the player gets the ball")
  w:input(1, { Kick = true })
  w:step(20)
  w:input(1, {})
  w:step(3)
  local seen = w:seenBy(1, function() return objects("Ball")[1]:getHolder() == nil end)
  t:ok(seen or ball():getHolder() ~= mine(1), "the ball has left the player's foot")
  w:step(60)
  w:settle()
end)
