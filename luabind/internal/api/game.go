package api

import "slices"

// gameAPI describes classes, hooks, objects and the world.
func gameAPI() []Section {
	return append([]Section{declarations(), classKeysAPI(), bodyKeysAPI(), gameKeysAPI(), playerKeysAPI(),
		objectHooksAPI(), gameHooksAPI(), inputAPI(), objectAPI(), worldAPI()}, physicsAPI()...)
}

func declarations() Section {
	return Section{Title: "Declaring", Kind: Functions, Text: "While the files are loaded:",
		Members: list(
			"object(name: string) -> declare: fun(declaration: Declaration): Object",
			"declares a class: `Ship = object \"Ship\" { ... }`. Methods and hooks are then declared as `function "+
				"Ship:tick() ... end`",
			"player(declaration: PlayerDeclaration)",
			"declares what each player has: `player { state = { kills = 0 } }`; stats(p).kills reads and writes it",
			"teams(declaration: table<string, { color?: string }>)",
			"declares the teams: `teams { Red = { color = \"#f55\" }, Blue = { color = \"#59f\" } }`. The team of "+
				"a player is `stats(p).team`, \"\" for none, and `p.team` of v.players() in view.lua",
			"entry(questions: table<string, string|string[]>)",
			"declares what each player is asked first: `entry { team = \"choose\", kit = { \"Scout\", \"Tank\" }, "+
				"note = \"First team to 30\" }`. A player joins with `onJoin(p, asked)` once the questions are "+
				"answered",
			"str(bytes: integer, default?: string) -> field: Str",
			"a state field for a string of at most that many bytes, 1 to 64",
			"ref() -> field: Ref", "a state field for an object; it starts as nil",
			"list(of: string|Str|Record, items: integer) -> field: List",
			"a state field for up to that many items, at most 256: \"number\", \"bool\", \"ref\", str(n) or a record",
			"record(parts: table<string, any>) -> field: Record",
			"a state field of named parts, each declared like a field",
		)}
}

func classKeysAPI() Section {
	return Section{Title: "What a class declares", Of: "Declaration", Kind: Keys, Text: "Every key is optional.",
		Members: list(
			"extends: Declaration",
			"another class, whose methods and constants this one has too, and whose keys it takes over; in "+
				"`input`, `controls`, `state`, `aux`, `objProps`, `body`, `look`, `moves` and `correct` key by key",
			"input: table<string, string|table>",
			"what the owner's client sends each tick: `Fire = \"bool\"`, or `aim = { \"number\", min = -1, max = "+
				"1, step = 0.1 }`. `merge` says how everything that a player does within a tick is combined: "+
				"\"any\" or \"last\" for a bool; \"last\", \"sum\", \"mean\" or \"furthest\" for a number. At most "+
				"32 bools and 8 numbers",
			"controls: table<string, string|string[]>",
			"the keys, mouse, pad and touch controls of inputs: `Fire = { \"space\", \"pad:a\" }`",
			"state: table<string, number|boolean|Str|Ref|List|Record|table>",
			"the fields of an object, with their defaults, which determine the types; rewinds restore them. "+
				"Options of a field: `hp = { \"number\", default = 5, min = 0, max = 9, step = 1, show = \"step\" "+
				"}`. `show` says how viewers show it between two states: \"lerp\", \"step\", \"shortest\", or a "+
				"function of both values and a fraction, which returns a value",
			"aux: table<string, number|boolean|Str|Ref|List|Record|table>", "the same for fields that seldom change",
			"objProps: table<string, any>",
			"constants that all objects of the class share, read-only: `self.objProps.speed`",
			"body: Body", "the rigid body of an object; without it, the object has no position",
			"order: integer", "objects with a lower order run first (0)",
			"look: { shape?: string, color?: string, label?: string, bar?: string, image?: string, w?: number, h?: "+
				"number, frames?: number, fps?: number, frame?: string, layer?: number, trail?: boolean|number "+
				"}", "how viewers show an object: a shape (circle, triangle, ship, body ...) and a colour, or "+
				"`\"{team}\"` for the value of a text field, a label in which `{hp}` is the value of the field hp, "+
				"and the number field that a bar shows. With `image`, an asset, that is drawn in the place of the "+
				"shape, `w` and `h` metres large; it has `frames` side by side, of which `frame`, a number field, "+
				"is shown, or all of them, `fps` a second. What has a higher `layer` is drawn above what has a "+
				"lower one (0; -100 to 100). `trail` is for how many seconds a trail is drawn behind it (at most "+
				"2), true for 0.5, false for none; without it, the largest object of each player has one",
			"seen: boolean | { within?: number }",
			"true: asSeen moves objects of the class to where the player's screen showed them (false). `within`: "+
				"at most so many metres from their path on the host; by default that follows from their speed and "+
				"the connection",
			"lod: \"predict\"|\"interpolate\"|\"extrapolate\"",
			"how clients other than the owner's handle the objects: they simulate them, draw them with a delay, or "+
				"simulate them from snapshots with the neutral input (\"predict\")",
			"authority: string",
			"who decides where an object is: \"host\", the simulation; \"owner\", the client of its owner, within "+
				"moves and verify",
			"moves: { speed?: number, ghost?: boolean }",
			"limits for an owner with authority: `speed`, the highest speed in m/s (1000); `ghost`, true if the "+
				"object may pass through static bodies",
			"ticking: string",
			"\"fixed\": an object is simulated once per tick; \"independent\": once per frame of its owner's "+
				"client, by simulate",
			"correct: { position?: number, angle?: number, velocity?: number, angular_velocity?: number }",
			"how wrong an object may be on its player's client before the host corrects it, in m, radians, m/s and "+
				"rad/s (`[correct]` in game.toml)",
			"range: number",
			"metres: clients that do not simulate an object receive it only within this distance of an object of "+
				"their player (no limit)",
			"predict_range: number",
			"metres: the client of a player simulates an object that is further than this from all objects of the "+
				"player only in complete ticks, and shows it there (`[prediction]` in game.toml)",
			"hidden: boolean",
			"true: such clients receive an object only if it belongs to their player or `relevant` in `game.lua` "+
				"returns true; without that function, if it is in range",
		)}
}

func bodyKeysAPI() Section {
	return Section{Title: "What a body has", Of: "Body", Kind: Keys, Text: "Only `shape` is required.",
		Members: list("shape: { circle?: number, box?: number[], polygon?: number[] }",
			"`{ circle = r }`, `{ box = { w, h } }` or `{ polygon = { x1, y1, x2, y2, ... } }`, in metres",
			"type: string", "\"dynamic\" (moved by forces), \"kinematic\" (moved by its velocity) or \"static\"",
			"density: number", "kg/m2 (1)", "mass: number", "kg, instead of a density", "inertia: number",
			"kg m2, instead of the value for the shape", "friction: number", "0.3", "restitution: number",
			"how well it bounces, 0 to 1 (0)", "linear_damping: number", "1/s (0)", "angular_damping: number",
			"1/s (0)", "gravity_scale: number", "a factor for the game's gravity (1)", "fixed_rotation: boolean",
			"true: it does not turn", "bullet: boolean", "true: it is fast and must not pass through thin bodies",
			"force_per_mass: boolean", "true: forces on it are accelerations, that is, multiplied by its mass",
			"sensor: boolean", "true: it collides with nothing; onTrigger reports what it overlaps",
			"sleep: boolean", "false: neither it nor what it touches ever sleeps", "layer: string",
			"the name of its collision layer (\"default\")", "collides: string[]",
			"the layers that it collides with (all; {}: none); walls are on \"wall\"")}
}

func gameKeysAPI() Section {
	return Section{
		Title: "What the game declares",
		Of:    "GameDeclaration",
		Kind:  Keys,
		Text:  "In `game.lua`: `game { state = { round = 1 } }`. Every key is optional.",
		Members: list(
			"state: table<string, number|boolean|Str|Ref|List|Record|table>",
			"the state of the match, like that of a class; every script reads and writes it as `game.round`",
			"aux: table<string, number|boolean|Str|Ref|List|Record|table>", "the same for fields that seldom change",
			"calls: table<string, string[]>",
			"the functions of `game.lua` that the program that runs the host may call (`Host.Call`), each with the "+
				"kinds of its parameters: `start = { \"number\", \"bool\", \"string\", \"ref\" }`, at most 8. A "+
				"ref is an object, or nil. A function whose first kind is `\"player\"` is a command, too: a player "+
				"calls it with a line of chat (`/start 3`), and the first argument is the number of the player. "+
				"They may do what `tick` may",
		)}
}

func playerKeysAPI() Section {
	return Section{
		Title: "What is declared for each player",
		Of:    "PlayerDeclaration",
		Kind:  Keys,
		Text:  "`player { state = { kills = 0, kit = str(8) } }`. Every key is optional.",
		Members: list(
			"state: table<string, number|boolean|Str|Ref|List|Record|table>",
			"fields like those of a class, which everybody receives: every script reads and writes them as "+
				"`stats(p).kills`, and `view.lua` finds them in `v.players()`",
			"aux: table<string, number|boolean|Str|Ref|List|Record|table>", "the same for fields that seldom change",
		)}
}

func objectHooksAPI() Section {
	return Section{Title: "Hooks of a class", Of: "Object", Kind: Hooks,
		Text: "Methods that the host and the clients call: `function Ship:tick() ... end`.",
		Members: list(
			"onSpawn(args: table)", "when the object is spawned, at once; args is the table given to spawn",
			"applyInput(input: Input)",
			"each tick, for an object with an owner or with think. An absent input repeats the last one for a while",
			"simulate(input: Input, dt: number)",
			"instead of applyInput if ticking = \"independent\": once for each frame of the owner; dt is its "+
				"length in seconds",
			"verify(claimed: Claimed) -> ok: boolean",
			"if authority = \"owner\": returns true if the object may be where its owner says; claimed has x, y, "+
				"angle, vx, vy, w. Called for poses that differ from the simulation and that moves allows",
			"think() -> input: table", "each tick, for an object without an owner: returns its input",
			"tick()", "each tick, after all inputs",
			"onContact(other: Object, contact: Contact)", "two bodies began to touch",
			"onContactEnd(other: Object)", "they stopped touching",
			"onTrigger(other: Object)", "a sensor began to overlap",
			"onJointBreak(other: Object?, joint: Joint?)",
			"a joint broke, or one of its objects is gone. other is nil for the world; joint is nil if the object "+
				"was attached to the other",
			"onRemove()", "at the end of the object's last tick",
			"migrate(old: table)",
			"at the start of the tick in which new scripts take effect: fills new fields from old ones. old is a "+
				"read-only table of the previous fields. It sees only its own object",
		)}
}

func gameHooksAPI() Section {
	return Section{Title: "Hooks of game.lua", Kind: Hooks,
		Text: "Global functions in `game.lua`. `game { state = { round = 1 } }` declares the state of the match, " +
			"which every script reads and writes as `game.round`.",
		Members: list(
			"onStart(level: string)",
			"when a level has begun: \"main\" in tick 1, and the one that `level(name)` has asked for",
			"onJoin(player: integer, asked?: table<string, string>)",
			"a player has joined, and with `entry { ... }` has answered; asked holds the answers. A player who "+
				"gets no object here is an onlooker. Not called for a player who returns within the grace time and "+
				"still owns the same objects",
			"onLeave(player: integer)",
			"a player has left, and the grace time is over, or somebody else needs the room. "+
				"Without this hook the player's objects are removed",
			"tick()", "each tick, after all objects",
			"relevant(viewer: Object, object: Object) -> relevant: boolean",
			"returns true if the owner of viewer may receive object, which that player's client does not simulate. "+
				"Called on the host, between ticks, for objects in range; it can only read",
			"predicted(viewer: Object, object: Object) -> predicted: boolean",
			"returns true if the client of viewer's owner predicts object. Otherwise it simulates object only in "+
				"complete ticks, and shows it there. Called on that client, between ticks, for objects in "+
				"`predict_range`; it can only read",
			"filterChat(player: integer, text: string) -> text: string?",
			"decides about a line of chat, commands excepted: returns the text that everybody gets, or nil for "+
				"none. Called on the host, between ticks; it can only read",
			"migrate(old: table)", "like that of a class, for the state of the match",
		)}
}

func inputAPI() Section {
	return Section{Title: "Inputs", Of: "Input", Kind: Methods,
		Text: "The input that applyInput and simulate get has the declared inputs as fields, `input.Fire`, and " +
			"these methods, which take the name of a bool. A press is counted once, however often its input is " +
			"repeated.",
		Members: list(Held+"(name: string) -> parts: integer", "for how many 64ths of the tick it was down, 0 to 64",
			Pressed+"(name: string) -> pressed: boolean", "true if it went down since the object's last input",
			Released+"(name: string) -> released: boolean", "true if it went up since the object's last input",
			Presses+"(name: string) -> count: integer", "how often it went down since the object's last input, 0 to 4")}
}

func objectAPI() Section {
	return Section{Title: "Objects", Of: "Object", Kind: Methods,
		Text: "An object has `id`, `owner` (a player's number, 0: nobody), `class`, `objProps`, its fields, and " +
			"these methods. It sees its own changes at once, and other objects as they were when the current order " +
			"began; what it does to another object takes effect when that order ends. Units are metres, kilograms, " +
			"seconds, newtons, radians; y is up.",
		Members: list(
			"getPosition() -> x: number, y: number", "its position",
			"getVelocity() -> vx: number, vy: number", "its velocity",
			"getDirection() -> angle: number", "its rotation: 0 along x, counter-clockwise",
			"getAngularVelocity() -> w: number", "its angular velocity",
			"getMass() -> kg: number", "0 for a body that nothing can push",
			"setPosition(x: number, y: number)", "moves it there",
			"setVelocity(vx: number, vy: number)", "",
			"setDirection(angle: number)", "",
			"setAngularVelocity(w: number)", "",
			"setForce(fx: number, fy: number)", "a force that stays until it is set again",
			"setTorque(torque: number)", "a torque that stays until it is set again",
			"setDirectionalForce(angle: number, force: number)", "like setForce, with a direction",
			"applyForce(fx: number, fy: number)", "a force in this tick only",
			"applyTorque(torque: number)", "a torque in this tick only",
			"applyImpulse(jx: number, jy: number)", "changes the velocity at once, in N s",
			"applyAngularImpulse(j: number)", "changes the angular velocity at once, in N m s",
			"asSeen(f: fun(): ...any) -> ...: any",
			"in applyInput and simulate: runs f while the other objects of classes with seen stand where the "+
				"player's screen showed them, and returns its results. raycast, overlapCircle and the like, "+
				"nearest, objects, getPosition and getDirection use these positions. f cannot change anything",
			"setOwner(player: integer)", "changes the owner at the end of the tick; 0 is nobody",
			"remove()", "removes it at the end of the tick",
			"valid() -> there: boolean", "false if it has been removed",
			"is(class: string) -> is: boolean", "whether it is of the class, or of one that extends it",
			"moveAndSlide(dx: number, dy: number) -> bumps: Bump[]",
			"moves self at once and slides it along obstacles; returns what it hit",
			"attach(holder: Object, dx?: number, dy?: number)",
			"places it in the holder's frame and keeps it there until detach or another attach",
			"detach()", "releases it from its holder",
			"getHolder() -> holder: Object?", "the object that it is attached to",
		)}
}

func worldAPI() Section {
	return Section{Title: "The world", Kind: Functions,
		Text: "In hooks.\n\nThe lists that `objects`, `raycastAll`, `overlapCircle`, `overlapBox`, `overlapPolygon`, " +
			"`players` and `moveAndSlide` return are frozen, that is, read-only: copy one to sort or change it. " +
			"Frozen " +
			"are also `input`, `objProps`, contacts, the `asked` of onJoin, the `old` of migrate, " +
			"all that view.lua is " +
			"given (v, its lists and what they contain, and c), and tables that are made while the files are loaded. " +
			"Not frozen are the lists in `state`, tables that a hook makes, and the `args` of onSpawn.",
		Members: slices.Concat(
			list("spawn(class: string, args?: SpawnArgs) -> spawned: Object",
				"a new object; args may hold owner and its fields, and if it has a body x, y, angle, vx, vy and w"),
			looks(),
			list(
				"cue(name: string, says?: table)",
				"an effect for viewers, shown once however often the tick is simulated: at most 8 numbers, "+
					"booleans and strings. to: \"all\", \"owner\", \"others\" or the number of a player; when: "+
					"\"predicted\" (at once; it may be cancelled) or \"confirmed\"; lasts: for how many seconds "+
					"the effect goes on, for players who join in between. At most 16 per object and tick",
				"tell(player: number, text: string)",
				"a message to one player, in their chat: once, when the tick cannot change any more; at most 256 "+
					"bytes. It counts as a cue",
				After+"(seconds: number, name: string)",
				"calls the function of that name once, so many seconds from now: `after(2, \"explode\")` calls "+
					"`Bomb:explode()` of self, which without a self is the object whose hook runs; or else `explode()` of "+
					"game.lua. The name must be written as a text. The same timer starts anew if it runs. An object has at most 8",
				Every+"(seconds: number, name: string)", "the same, again and again",
				"stopTimer(name: string)", "stops a timer: of self, or else of the match",
				"timeLeft(name: string) -> seconds: number?", "how long until the timer calls; nil if it does not run",
				"setTeam(player: integer, team: string)", "puts a player into a team that `teams { ... }` declares",
				"smallestTeam() -> team: string", "the team with the fewest players; of several, the first by name",
				"teamColor(team: string) -> color: string",
				"the color that `teams { ... }` gives it; empty for the empty team. view.lua has it, too",
				"fillTeams(class: string, n: integer)",
				"spawns what n objects of a class, or of those that extend it, lack, without an owner, each in the team with the fewest of "+
					"them: the class has a text field `team`. What the hook itself has spawned counts. Bots play them: declare `think`",
				"takeOver(player: integer, class: string) -> taken: Object?",
				"gives a player the first object of a class, or of one that extends it, that nobody owns, one of the player's team if both "+
					"have one, and returns it; nil if there is none. The owner changes at the end of the tick",
				"resetStats()",
				"gives the fields that `player { ... }` declares their defaults, for all players; `team` and "+
					"`entered` stay",
				"level(name?: string) -> now: string",
				"with a name, asks for a level of game.toml, or for \"main\", to begin when the tick ends: its "+
					"walls and objects replace those of the level before, and `onStart` is called. Without one, "+
					"returns the name of the level in force",
				"print(...: any)",
				"writes to the log, with tick, object, file and line; silent when a tick is simulated again",
			))}
}

// looks returns the functions that look at the world and change nothing. Bots and
// tests have them, too.
func looks() []Member {
	return list(
		"objects(class: string) -> list: Object[]",
		"all objects of a class, and of those that extend it, in the order of spawning",
		"raycast(x1: number, y1: number, x2: number, y2: number, ...: string) -> hit: Object?, x: number, y: "+
			"number, nx: number, ny: number, fraction: number",
		"the first object that a ray hits, the point, the normal there, and the fraction of the distance; nil if "+
			"there is none. Names of layers restrict it",
		"circleCast(x1: number, y1: number, x2: number, y2: number, r: number, ...: string) -> hit: Object?, x: "+
			"number, y: number, nx: number, ny: number, fraction: number", "the same for a moving circle",
		"raycastAll(x1: number, y1: number, x2: number, y2: number, ...: string) -> list: Object[]",
		"all objects that a ray hits, the nearest first",
		"overlapCircle(x: number, y: number, r: number, ...: string) -> list: Object[]",
		"objects on these layers that touch a circle, in the order of their ids",
		"overlapBox(x: number, y: number, w: number, h: number, ...: string) -> list: Object[]",
		"the same for an axis-aligned box around x, y",
		"overlapPolygon(corners: number[], ...: string) -> list: Object[]",
		"the same for a convex polygon of 3 to 8 corners: { x1, y1, x2, y2, ... }",
		"nearest(class: string, x: number, y: number, within?: number) -> found: Object?",
		"the nearest object of a class, or of one that extends it",
		"players() -> list: integer[]", "the numbers of the players who are present",
		"stats(player: integer) -> fields: Object?",
		"what `player { ... }` declares, of a player: fields to read and write. They stay while a player is away "+
			"within the grace time, and outlive the player's objects. nil for a player who is not in the room",
		"now() -> seconds: number", "the time of the simulation",
		"tickNumber() -> tick: integer", "",
		"random(a?: integer, b?: integer) -> n: number",
		"a number in [0, 1); random(n): from 1 to n; random(a, b): from a to b. The same when a tick is simulated "+
			"again",
	)
}
