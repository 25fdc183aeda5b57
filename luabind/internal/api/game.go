package api

import "slices"

// gameAPI describes classes, hooks, objects and the world.
func gameAPI() []Section {
	return append([]Section{declarations(), classKeysAPI(), bodyKeysAPI(), objectHooksAPI(), gameHooksAPI(), objectAPI(), worldAPI()}, physicsAPI()...)
}

func declarations() Section {
	return Section{Title: "Declaring", Kind: Functions, Text: "While the files are loaded:",
		Members: list(
			"object(name: string) -> declare: fun(declaration: Declaration): Object", "declares a class: `Ship = object \"Ship\" { ... }`. Methods and hooks are then declared as `function Ship:tick() ... end`",
			"str(bytes: integer, default?: string) -> field: Str", "a state field for a string of at most so many bytes, 1 to 64",
			"ref() -> field: Ref", "a state field for an object, nil at first",
			"list(of: string|Str|Record, items: integer) -> field: List", "a state field for up to so many items, at most 256: \"number\", \"bool\", \"ref\", str(n) or a record",
			"record(parts: table<string, any>) -> field: Record", "a state field of named parts, each declared as a field is",
		)}
}

func classKeysAPI() Section {
	return Section{Title: "What a class declares", Of: "Declaration", Kind: Keys, Text: "All of it may be left out.",
		Members: list(
			"input: table<string, string|table>", "what the owner's client sends each tick: `Fire = \"bool\"`, or `aim = { \"number\", min = -1, max = 1, step = 0.1 }`. `merge` says what of all that is done within a tick counts: of a bool \"any\" or \"last\", of a number \"last\", \"sum\", \"mean\" or \"furthest\". At most 32 bools and 8 numbers",
			"controls: table<string, string|string[]>", "keys, mouse, pad and touch for inputs: `Fire = { \"space\", \"pad:a\" }`",
			"state: table<string, number|boolean|Str|Ref|List|Record|table>", "fields that a rewind restores, with their defaults, which give the types",
			"aux: table<string, number|boolean|Str|Ref|List|Record|table>", "the same for fields that seldom change",
			"objProps: table<string, any>", "constants, shared by all objects of the class, read-only: `self.objProps.speed`",
			"body: Body", "what the object is for the physics; without it, it has no place",
			"order: integer", "objects with a lower order run first (0)",
			"look: { shape?: string, color?: string, label?: string, bar?: string }", "how viewers show it: a shape (circle, triangle, ship, body ...), a colour, a label in which `{hp}` is the value of the field hp, the number field that a bar shows",
			"seen: boolean", "true: asSeen shows its objects where the player's screen did (false)",
			"lod: \"predict\"|\"interpolate\"|\"extrapolate\"", "how the clients of others than the owner have it: simulated, shown a moment ago, or simulated onwards with no input (\"predict\")",
			"authority: string", "\"host\": an object is where the simulation has it; or \"owner\": where its owner's client has it, within moves and verify",
			"moves: { speed?: number, ghost?: boolean }", "what an owner with authority may do: `speed`, m/s that it makes at most (1000); `ghost`, it passes through what is static",
			"ticking: string", "\"fixed\": an object is simulated in ticks; or \"independent\": in its owner's frames, by simulate",
			"range: number", "metres: clients that do not simulate it are told of it when it is no further from an object of theirs (no limit)",
			"hidden: boolean", "true: such clients are told of it only if it is theirs or `relevant` in `game.lua` says so; without that function, if it is in range",
		)}
}

func bodyKeysAPI() Section {
	return Section{Title: "What a body has", Of: "Body", Kind: Keys, Text: "Only `shape` has to be there.",
		Members: list(
			"shape: { circle?: number, box?: number[], polygon?: number[] }", "`{ circle = r }`, `{ box = { w, h } }` or `{ polygon = { x1, y1, x2, y2, ... } }`, in metres",
			"type: string", "\"dynamic\" (moved by forces), \"kinematic\" (moved by its velocity) or \"static\"",
			"density: number", "kg/m2 (1)",
			"mass: number", "kg, instead of a density",
			"inertia: number", "kg m2, instead of what the shape has",
			"friction: number", "0.3",
			"restitution: number", "how well it bounces, 0 to 1 (0)",
			"linear_damping: number", "1/s (0)",
			"angular_damping: number", "1/s (0)",
			"gravity_scale: number", "times the game's gravity (1)",
			"fixed_rotation: boolean", "it does not turn",
			"bullet: boolean", "it is fast, and must not pass through thin things",
			"force_per_mass: boolean", "forces are accelerations: multiplied by its mass",
			"sensor: boolean", "it touches nothing and tells what it overlaps: onTrigger",
			"sleep: boolean", "false: it never sleeps, nor does what it touches",
			"layer: string", "the name of its collision layer (\"default\")",
			"collides: string[]", "the layers that it collides with (all); walls are in \"wall\"",
		)}
}

func objectHooksAPI() Section {
	return Section{Title: "Hooks of a class", Of: "Object", Kind: Hooks,
		Text: "Methods that the host and the clients call: `function Ship:tick() ... end`.",
		Members: list(
			"onSpawn(args: table)", "at once when it is spawned; args is the table given to spawn",
			"applyInput(input: table)", "each tick, for an object with an owner or a think. A missing input repeats the last one for a while",
			"simulate(input: table, dt: number)", "in the place of applyInput where ticking = \"independent\": for each of the owner's frames; dt is its length in seconds",
			"verify(claimed: Claimed) -> ok: boolean", "where authority = \"owner\": may it be where its owner says? claimed has x, y, angle, vx, vy, w. Asked where that is not where it is simulated to be, and what moves allows",
			"think() -> input: table", "each tick, for one without an owner: gives its input",
			"tick()", "each tick, after all inputs",
			"onContact(other: Object, contact: Contact)", "began to touch",
			"onContactEnd(other: Object)", "ceased to touch",
			"onTrigger(other: Object)", "a sensor began to overlap",
			"onJointBreak(other: Object?, joint: Joint?)", "a joint broke, or what it tied is gone. other is nil for the world, joint is nil where one was attached to the other",
			"onRemove()", "at the end of its last tick",
			"migrate(old: table)", "first in the tick in which other scripts take effect: makes new fields of old ones. old is a read-only table of the fields until then. It sees its own object only",
		)}
}

func gameHooksAPI() Section {
	return Section{Title: "Hooks of game.lua", Kind: Hooks,
		Text: "Global functions in `game.lua`. `game { state = { round = 1 } }` declares the state of the match, which every script reaches as `game.round`.",
		Members: list(
			"onStart()", "once, in tick 1, when the level is there",
			"onJoin(player: integer)", "a player has come. Who gets no object here looks on. Not called for one who comes back within the grace time: what was his is his still",
			"onLeave(player: integer)", "a player has gone, and the grace time is over. Without this hook the objects go",
			"tick()", "each tick, after all objects",
			"relevant(viewer: Object, object: Object) -> told: boolean", "whether the owner of viewer is to be told of object, which his client does not simulate. Asked on the host, between ticks, of what is in range; it only looks",
			"migrate(old: table)", "as of a class, for the state of the match",
		)}
}

func objectAPI() Section {
	return Section{Title: "Objects", Of: "Object", Kind: Methods,
		Text: "An object has `id`, `owner` (a player's number, 0: nobody), `class`, `objProps`, its fields, and these. It sees itself as it is, and others as they were when the present order began; what it does to another takes effect when that order ends. Units are metres, kilograms, seconds, newtons, radians; y is up.",
		Members: list(
			"getPosition() -> x: number, y: number", "where it is",
			"getVelocity() -> vx: number, vy: number", "how fast it moves",
			"getDirection() -> angle: number", "where it points: 0 along x, counter-clockwise",
			"getAngularVelocity() -> w: number", "how fast it turns",
			"getMass() -> kg: number", "0 for what nothing pushes",
			"setPosition(x: number, y: number)", "puts it there",
			"setVelocity(vx: number, vy: number)", "",
			"setDirection(angle: number)", "",
			"setAngularVelocity(w: number)", "",
			"setForce(fx: number, fy: number)", "a force that stays until it is set again",
			"setTorque(torque: number)", "a torque that stays until it is set again",
			"setDirectionalForce(angle: number, force: number)", "as setForce, given by its direction",
			"applyForce(fx: number, fy: number)", "a force in this tick only",
			"applyTorque(torque: number)", "a torque in this tick only",
			"applyImpulse(jx: number, jy: number)", "a push at once, N s",
			"applyAngularImpulse(j: number)", "a turn at once, N m s",
			"asSeen(f: fun(): ...any) -> ...: any", "in applyInput: what f gives, run while the other objects of classes with seen = true stand where the player's screen showed them: raycast, overlapCircle and the like, nearest, objects, getPosition and getDirection look there. Nothing can be changed within",
			"setOwner(player: integer)", "gives it to a player at the end of the tick, 0 to nobody",
			"remove()", "takes it away at the end of the tick",
			"valid() -> there: boolean", "false once it has been removed",
			"moveAndSlide(dx: number, dy: number) -> bumps: Bump[]", "moves self at once, and along what is in its way; gives what it met",
			"attach(holder: Object, dx?: number, dy?: number)", "puts it there in the holder's frame and keeps it there, until detach or another attach",
			"detach()", "takes it off what it is attached to",
			"getHolder() -> holder: Object?", "what it is attached to",
		)}
}

func worldAPI() Section {
	return Section{Title: "The world", Kind: Functions, Text: "In hooks:",
		Members: slices.Concat(
			list(
				"spawn(class: string, args?: SpawnArgs) -> spawned: Object", "a new object; args may hold x, y, angle, vx, vy, w, owner and its fields",
			),
			looks(),
			list(
				"cue(name: string, says?: table)", "an effect for viewers, once however often the tick is run again: numbers, booleans and strings, at most 8. to: \"all\", \"owner\" or \"others\"; when: \"predicted\" (at once; it may be taken back) or \"confirmed\". At most 16 of an object a tick",
				"print(...: any)", "to the log, with tick, object, file and line; silent when a tick is run again",
			))}
}

// looks are the functions that look at the world and change nothing. Bots and
// tests have them, too.
func looks() []Member {
	return list(
		"objects(class: string) -> list: Object[]", "all of a class, in the order of spawning",
		"raycast(x1: number, y1: number, x2: number, y2: number, ...: string) -> hit: Object?, x: number, y: number, nx: number, ny: number, fraction: number", "the first object that a ray meets, where, the normal there, and which fraction of the way; nil for none. Names of layers limit it",
		"circleCast(x1: number, y1: number, x2: number, y2: number, r: number, ...: string) -> hit: Object?, x: number, y: number, nx: number, ny: number, fraction: number", "the same, for a circle that moves along",
		"raycastAll(x1: number, y1: number, x2: number, y2: number, ...: string) -> list: Object[]", "all that a ray meets, the first met first",
		"overlapCircle(x: number, y: number, r: number, ...: string) -> list: Object[]", "what touches a circle, of these layers, in the order of their ids",
		"overlapBox(x: number, y: number, w: number, h: number, ...: string) -> list: Object[]", "what touches an upright box around x, y",
		"overlapPolygon(corners: number[], ...: string) -> list: Object[]", "what touches a convex polygon of 3 to 8 corners: { x1, y1, x2, y2, ... }",
		"nearest(class: string, x: number, y: number, within?: number) -> found: Object?", "the nearest of a class",
		"players() -> list: integer[]", "the numbers of those present",
		"now() -> seconds: number", "the time of the world",
		"tickNumber() -> tick: integer", "",
		"random(a?: integer, b?: integer) -> n: number", "in [0, 1); random(n) from 1 to n; random(a, b) from a to b. The same when a tick is run again",
	)
}
