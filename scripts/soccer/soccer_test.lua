-- How soccer plays. Run by "host test soccer".

local function ball() return objects("Ball")[1] end

local function mine(player)
  for _, p in ipairs(objects("Player")) do
    if p.owner == player then return p end
  end
end

local function speed(o) return vec.length(o:getVelocity()) end

-- run steers the footballer of a player to where place says, until done is true or the time is over. In a world with four
-- players, the others stand still.
local function run(w, player, seconds, place, done, tackles)
  w:step(3)
  for i = 1, seconds * 60 do
    if done() then break end
    local x, y = mine(player):getPosition()
    local tx, ty = place()
    local dx, dy = vec.normalize(tx - x, ty - y)
    local holder = ball():getHolder()
    w:input(player, { x = dx, y = dy, Tackle = tackles and holder and holder.team ~= mine(player).team and i % 2 == 0 })
    w:step(1)
  end
  w:input(player, {})
  return done()
end

local function holds(player) return ball():getHolder() == mine(player) end

-- fetch runs a player to the ball until the player has it.
local function fetch(t, w, player)
  local got = run(w, player, 20, function() return ball():getPosition() end, function() return holds(player) end, true)
  t:ok(got, "player " .. player .. " gets the ball")
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

-- strike is how a person plays who is new: eight directions, a decision ten times a second, after the ball and with it
-- to the goal, a kick from wherever the other half begins.
local function strike(player, charged)
  local me = mine(player)
  local x, y = me:getPosition()
  local side = me.team == "Red" and 1 or -1
  local input, tx, ty = {}, 19 * side, 0
  if holds(player) then
    if x * side > 4 then charged = charged + 1 end
    input.Kick = charged == 1 or charged == 2
  else
    charged, tx, ty = 0, ball():getPosition()
    local holder = ball():getHolder()
    if holder and holder.team ~= me.team then
      input.Tackle = vec.distance(x, y, holder:getPosition()) < 1.6 and tickNumber() % 18 < 6
    elseif holder then
      tx, ty = 10 * side, y > 0 and 5 or -5
    end
  end
  local dx, dy = vec.normalize(tx - x, ty - y)
  input.x, input.y = math.floor(dx + 0.5), math.floor(dy + 0.5)
  return input, charged
end

test("who is new wins the first match, and the bots are better in the next one", function(t)
  local w = t:world { players = 1 }
  local function skills(own)
    for _, p in ipairs(objects("Player")) do
      if p.owner == 0 and (p.team == mine(1).team) == own then return p.skill end
    end
  end
  w:step(4)
  t:eq(skills(false), 0, "the rivals are beginners")
  t:eq(skills(true), 2, "the mate is not")
  local input, charged = {}, 0
  for _ = 1, 300 * 10 do
    if game.phase == "over" then break end
    input, charged = strike(1, charged)
    w:step(3)
    w:input(1, input)
    w:step(3)
  end
  local won, lost = game.red, game.blue
  if mine(1).team == "Blue" then won, lost = lost, won end
  t:ok(won > lost, won .. " : " .. lost)
  t:ok(stats(1).goals > 0, "the player scored")
  w:step(60 * 7)
  t:eq(skills(false), 1, "the rivals of the next match")
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

-- kicked returns how fast the ball is after a kick that is charged for some ticks.
local function kicked(t, w, ticks)
  fetch(t, w, 1)
  w:input(1, { Kick = true })
  w:step(ticks)
  w:input(1, {})
  w:step(2)
  t:eq(ball():getHolder(), nil)
  return speed(ball())
end

test("a kick that is hardly charged is soft", function(t)
  t:near(kicked(t, t:world { players = 4 }, 2), 9.5, 1.5)
end)

test("a charged kick is hard", function(t)
  t:near(kicked(t, t:world { players = 4 }, 25), 20, 2)
end)

test("a tackle takes the ball from an opponent in reach", function(t)
  local w = t:world { players = 4 }
  w:step(5)
  local rival = mine(2).team == mine(1).team and 3 or 2
  fetch(t, w, rival)
  local function near()
    local x, y = mine(1):getPosition()
    return vec.distance(x, y, mine(rival):getPosition()) < 1.3
  end
  t:ok(run(w, 1, 20, function() return mine(rival):getPosition() end, near), "the opponent with the ball is near")
  local before = stats(1).steals
  w:input(1, { Tackle = true })
  w:step(2)
  t:ok(holds(1), "the player has the ball")
  t:eq(stats(1).steals, before + 1)
end)

test("who scores is counted for the player", function(t)
  local w = t:world { players = 4 }
  fetch(t, w, 1)
  local goal = mine(1).team == "Red" and 19 or -19
  local scored = run(w, 1, 20, function() return goal, 0 end, function() return stats(1).goals > 0 end)
  t:ok(scored, "the player scores by running into the goal")
  t:eq(game.by, 1)
  t:ok(game.phase == "goal" or game.phase == "over", "play stops")
end)

test("on a bad line a kick is on the player's own screen at once", function(t)
  local w = t:world { players = 4, net = "bad" }
  fetch(t, w, 1)
  w:input(1, { Kick = true })
  w:step(20)
  w:input(1, {})
  w:step(3)
  local seen = w:seenBy(1, function() return objects("Ball")[1]:getHolder() == nil end)
  t:ok(seen, "the ball has left the player's foot")
  w:settle()
  t:ok(w:confirmed(function() return objects("Ball")[1]:getHolder() == nil end), "everywhere")
end)
