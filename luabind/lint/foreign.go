package lint

// What stands for whole groups of members of other engines.
const (
	itsClass  = "write .class for the name of its class; playerName(number) in view.lua gives that of a player"
	inAField  = "a group is a class, or a field in state"
	noChat    = "tell(player, text) writes to one player"
	withLook  = "look in the declaration says how it is drawn"
	forPlayer = "stats(player) has the fields that player { ... } declares, such as stats(self.owner).coins"
)

// membersElsewhere are members that objects have in other engines, with what stands for them, besides those that errors
// of hooks explain as well.
var membersElsewhere = map[string]string{
	"Name": itsClass, "name": itsClass, "GetName": itsClass, "getName": itsClass, "get_name": itsClass, "Tag": itsClass, "tag": itsClass,
	"typeName": itsClass, "kind": itsClass, "CompareTag": "write other.class == \"Name\", or other:is(\"Name\")",
	"is_in_group": inAField, "add_to_group": inAField, "HasTag": inAField, "hasTag": inAField,
	"leaderstats": forPlayer, "GetPlayerFromCharacter": forPlayer, "Character": "o.owner is the number of the player who steers an object",
	"transform": "getPosition() returns x and y, and setPosition(x, y) sets them", "gameObject": "self is the object", "rigidbody": "setVelocity(vx, vy), applyForce(fx, fy) and the like are methods of the object",
	"global_position": "getPosition() returns x and y, and setPosition(x, y) sets them", "linear_velocity": "getVelocity() returns vx and vy, and setVelocity(vx, vy) sets them",
	"Transparency": withLook, "Color": withLook, "BrickColor": withLook, "Size": "body declares the shape, such as { circle = 0.5 }",
	"Workspace": findsObjects, "Gravity": "game.toml sets it: [physics] gravity = [0, -9.8]",
	"modulate": withLook, "visible": withLook, "chat": noChat, "Chat": noChat, "ChatPrint": noChat, "PrintMessage": noChat,
	"set_hp": "an object has the fields that its class declares in state, such as hp: self.hp = self.hp - 1",
	"emit":   "a cue tells the clients: cue(\"name\", { x = 1 })", "emit_signal": "a cue tells the clients: cue(\"name\", { x = 1 })",
	"Connect": "hooks are functions of the class: function Ship:onContact(other, contact)", "connect": "hooks are functions of the class: function Ship:onContact(other, contact)",
	"move_and_slide": "write self:moveAndSlide(dx, dy)", "is_on_floor": "look at what moveAndSlide returns, or ask raycast below the object",
}

// What stands for groups of members of tables of other engines.
const (
	inApplyInput = "declare an input with controls, and read it in function Ship:applyInput(input): input.Fire"
	itsPlace     = "write o:getPosition() and o:setPosition(x, y)"
	laterCall    = "after(seconds, \"name\") calls a function of the class later, and every(seconds, \"name\") again and again"
	ofWorld      = "now() is the time of the world in seconds"
	playsSound   = "sound { file = \"boom.wav\" } in view.lua plays a sound, in the function of a cue"
	drawn        = "look in the declaration says how an object is drawn, and hud(function(v) ... end) in view.lua what stands on the screen"
	makesObject  = "spawn(\"Class\", { x = 1, y = 2 }) makes an object"
	findsObjects = "objects(\"Class\"), nearest(\"Class\", x, y) and overlapCircle(x, y, r) find objects"
	allPlayers   = "players() lists the numbers of the players, and stats(player) has their fields"
	joined       = "function onJoin(player) in game.lua runs when a player joins"
	declaresIt   = "classes are declared: Ship = object \"Ship\" { state = { hp = 3 }, body = { shape = { circle = 0.5 } } }"
	byChance     = "random() gives 0 to 1, random(n) 1 to n, and random(a, b) a to b"
	byRay        = "raycast(x1, y1, x2, y2) asks what a ray hits"
	toPlayers    = "tell(player, text) writes to one player, and a cue tells all: cue(\"name\", { x = 1 })"
)

// elsewhereMembers are members of tables of other engines, with what stands for them.
var elsewhereMembers = map[string]string{
	"love.graphics": drawn, "love.audio": playsSound, "love.keyboard": inApplyInput, "love.mouse": inApplyInput, "love.joystick": inApplyInput,
	"love.timer": ofWorld, "love.math": byChance, "love.physics": declaresIt, "love.filesystem": "scripts reach the world only", "love.window": drawn,
	"love.load": "function onStart() in game.lua runs when the match begins", "love.update": "function tick() in game.lua, and function Ship:tick() of a class, run in each tick",
	"love.draw": drawn, "love.event": "keep it in a field of game, such as game.phase = \"over\"", "love.keypressed": inApplyInput, "love.mousepressed": inApplyInput,

	"minetest.register_node": declaresIt, "minetest.register_entity": declaresIt, "minetest.register_tool": declaresIt, "minetest.register_craftitem": declaresIt,
	"minetest.register_craft":            "write it in a function: there are no recipes",
	"minetest.register_globalstep":       "function tick() in game.lua runs in each tick",
	"minetest.register_on_joinplayer":    joined,
	"minetest.register_on_leaveplayer":   "function onLeave(player) in game.lua runs when a player has left for good",
	"minetest.register_on_dieplayer":     "write a method that is called when hp is 0: function Ship:die() ... end",
	"minetest.register_on_punchnode":     "function Ship:onContact(other, contact) runs when bodies touch",
	"minetest.register_chatcommand":      "filterChat(player, text) of game.lua decides about a line of chat",
	"minetest.register_on_chat_message":  "filterChat(player, text) of game.lua decides about a line of chat",
	"minetest.chat_send_all":             toPlayers,
	"minetest.chat_send_player":          toPlayers,
	"minetest.after":                     laterCall,
	"minetest.get_player_by_name":        allPlayers,
	"minetest.get_connected_players":     allPlayers,
	"minetest.add_entity":                makesObject,
	"minetest.add_item":                  makesObject,
	"minetest.add_particle":              "burst { x = c.x, y = c.y, n = 24 } in view.lua, in the function of a cue",
	"minetest.add_particlespawner":       "burst { x = c.x, y = c.y, n = 24 } in view.lua, in the function of a cue",
	"minetest.get_objects_inside_radius": "overlapCircle(x, y, r) lists the objects there",
	"minetest.set_node":                  "a grid is a list of state: list(\"number\", 64)",
	"minetest.get_node":                  "a grid is a list of state: list(\"number\", 64)",
	"minetest.remove_node":               "a grid is a list of state: list(\"number\", 64)",
	"minetest.get_gametime":              ofWorld, "minetest.get_us_time": ofWorld, "minetest.sound_play": playsSound, "minetest.raycast": byRay,
	"minetest.log": "print(...) writes to the log", "minetest.settings": "constants stand in objProps, or in local variables",
	"minetest.get_modpath": "all files of the game are loaded; require(\"lib.vector\") loads lib/vector.lua", "minetest.show_formspec": drawn,
	"core.after": laterCall, "core.add_entity": makesObject, "core.chat_send_all": toPlayers, "core.get_connected_players": allPlayers,
	"core.register_entity": declaresIt, "core.register_node": declaresIt, "core.register_globalstep": "function tick() in game.lua runs in each tick",
	"core.register_on_joinplayer": joined, "core.sound_play": playsSound, "core.log": "print(...) writes to the log",
	"vector.distance": "write vec.distance(x1, y1, x2, y2)", "vector.length": "write vec.length(x, y)", "vector.normalize": "write vec.normalize(x, y)",
	"vector.new": "setPosition and the like take two numbers: self:setPosition(x, y)", "vector.add": "write x1 + x2, y1 + y2",
	"vector.subtract": "write x1 - x2, y1 - y2", "vector.multiply": "write x * n, y * n", "vector.direction": "write vec.angle(x2 - x1, y2 - y1)",

	"script.Parent": "self is the object in functions of its class, such as function Ship:tick(): self:setPosition(x, y), self:remove()",

	"Vector2.new": "setPosition and the like take two numbers: self:setPosition(x, y)", "Vector3.new": "setPosition and the like take two numbers: self:setPosition(x, y)",
	"Vector2.Distance": "write vec.distance(x1, y1, x2, y2)", "Vector3.Distance": "write vec.distance(x1, y1, x2, y2)", "CFrame.new": itsPlace,
	"CFrame.Angles": "write self:setDirection(angle)", "Color3.fromRGB": "a colour is a text: \"#ff9900\"", "Instance.new": makesObject,
	"task.wait": "a hook cannot wait: " + laterCall, "task.delay": laterCall, "task.spawn": laterCall, "workspace.Gravity": "game.toml sets it: [physics] gravity = [0, -9.8]",
	"workspace.Raycast": byRay, "workspace.FindFirstChild": findsObjects, "workspace.GetChildren": findsObjects, "workspace.CurrentCamera": "view.lua says it: camera(function(v) return { follow = v.me, zoom = 20 } end)",
	"Players.PlayerAdded": joined, "Players.PlayerRemoving": "function onLeave(player) in game.lua runs when a player has left for good", "Players.LocalPlayer": "self.owner is the number of the player who steers self; view.lua has v.me and v.player",
	"Players.GetPlayers": allPlayers, "Enum.KeyCode": "keys are texts: controls = { Fire = \"space\" }", "Random.new": byChance,

	"Input.GetKey": inApplyInput, "Input.GetAxis": inApplyInput, "Input.is_action_pressed": inApplyInput, "Time.time": ofWorld,
	"Time.deltaTime": "all ticks last the same time, 1 / tick_rate of game.toml: write it into a constant", "Random.Range": byChance, "Mathf.Lerp": "write a + (b - a) * t",
	"Mathf.Clamp": "write math.max(low, math.min(x, high))", "Mathf.Abs": "write math.abs(x)", "Mathf.Max": "write math.max(a, b)", "Mathf.Min": "write math.min(a, b)",
	"Mathf.Floor": "write math.floor(x)", "Mathf.Sin": "write math.sin(x)", "Mathf.Cos": "write math.cos(x)", "Mathf.Sqrt": "write math.sqrt(x)", "Mathf.PI": "write math.pi",
	"Physics2D.Raycast": byRay, "Physics.Raycast": byRay, "Physics2D.OverlapCircle": "overlapCircle(x, y, r) lists the objects there", "GameObject.Find": findsObjects,
	"GameObject.FindWithTag": findsObjects, "Math.floor": "write math.floor(x)", "Math.random": byChance, "Math.max": "write math.max(a, b)", "Math.min": "write math.min(a, b)",

	"Debris.AddItem": "after(seconds, \"vanish\") and function Ship:vanish() self:remove() end remove an object later",
	"Signal.new":     "hooks are functions of a class: function Ship:onContact(other, contact)", "Runtime.addEventListener": "hooks are functions of a class: function Ship:tick() ... end",
	"Entity.new": makesObject, "Object.extend": declaresIt, "Class.extend": declaresIt, "Screen.width": "arena.width is that of the level", "Screen.height": "arena.height is that of the level",
	"Engine.time_scale": "all ticks last the same time, 1 / tick_rate of game.toml",
	"ents.Create":       makesObject, "ents.FindByClass": findsObjects, "ents.FindInSphere": "overlapCircle(x, y, r) lists the objects there",
	"timer.Simple": laterCall, "timer.Create": laterCall, "timer.performWithDelay": laterCall, "util.TraceLine": byRay,
	"go.delete": "write self:remove()", "go.get_position": itsPlace, "go.set_position": itsPlace, "factory.create": makesObject,
	"os.time": ofWorld, "os.clock": ofWorld, "os.date": "the world has no date: " + ofWorld, "os.exit": "keep it in a field of game, such as game.phase = \"over\"",
	"os.getenv": "scripts reach the world only", "io.open": "state lives as long as the room: nothing is kept in files", "io.write": "print(...) writes to the log",
	"io.read": "scripts reach the world only",
}
