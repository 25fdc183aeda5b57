// Package scripts loads games from folders, and holds the built-in games and
// bots.
//
//	game, err := scripts.LoadDir("mygame")   // or Load(fsys, "arena")
//	if err != nil { ... }                    // every problem at once: mygame/game.toml:3: ...
//	script, err := game.Compile(luabind.Compile)
//	h, err := host.New(host.Config{Bundle: game.Bundle, ...})
//
// A game is a folder with a game.toml and *.lua files. The scripts in the folder
// itself are loaded in name order, game.lua last. These are not part of the
// bundle: *_test.lua (they are in Game.Tests), *_bot.lua (in Game.Bots), names that begin with a
// dot, and everything in folders below. view.lua is part of the bundle and runs on
// clients only.
//
// The package reads Lua files but does not run them: package luabind does.
//
// Games and Builtin give the built-in games, Bots and Bot the built-in bots: Lua
// files for luabind.NewBot.
//
// # Concurrency
//
// The functions have no state and may be called from any goroutine. A Game that nothing
// changes any more may be shared.
//
// # game.toml
//
// This is every key, with the value that holds if it is absent. Only name is
// required, and w and h of a wall and class of a spawn:
//
//	name = "arena"            # 1 to 64 bytes
//	tick_rate = 60            # Hz, 20 to 128
//	seed = 1
//
//	[history]                 # ms, rounded up to ticks
//	max_rewind = 400          # inputs later than this are dropped, 0 to 2000
//	rewind_work = 8           # most object-ticks that rewinds may cost per tick, as a multiple of all objects, 1
//	                          # to 1000
//	max_seen = 1000           # how far back asSeen can look, 0 to 5000
//
//	[input]                   # ms
//	repeat = 250              # an absent input repeats the last one this long, 0 to 5000
//	max_ahead = 1000          # inputs further ahead are refused, 1 to 5000
//	again = "first"           # which of a player's inputs for the same tick counts: "first" or "newest"
//	redundancy = 16           # ticks of unacknowledged inputs in each packet, 1 to 16
//	lead = 4                  # ms that inputs should arrive before their tick, -max_rewind to max_ahead; negative:
//	                          # after it, and the host rewinds
//
//	[players]
//	max = 64                  # 1 to 128
//	grace = 30000             # ms that the objects of a player who left stay, at most an hour
//
//	[limits]
//	objects = 16384           # most objects in the room, 16 to 16384
//	catch_up = 250            # ms that the host may be late and still run every tick, 50 to 10000; later, it skips the
//	                          # time
//
//	[net]                     # what the host program listens on; see Game
//	port = 7777               # UDP
//	http = 7778
//
//	[physics]
//	substeps = 4              # 1 to 16
//	gravity = [0, 0]          # m/s2
//	sleep = true              # bodies at rest for 0.5 s sleep; or seconds, or false
//
//	[arena]                   # metres, centred on 0, 0
//	width = 40
//	height = 24
//	walls = false             # true: four walls, 1 m thick, with their inner edges at the arena's
//	wall_friction = 0         # of these, and of each [[wall]] without its own
//	wall_restitution = 0
//
//	[[wall]]                  # a static box: its centre and full size in metres
//	x = 0
//	y = 0
//	w = 4
//	h = 1
//	angle = 0                 # radians
//	friction = 0
//	restitution = 0
//
//	[[spawn]]                 # objects at the start, at random places in a box
//	class = "Crate"
//	count = 1
//	x = 0                     # the box: its centre and full size in metres
//	y = 0
//	w = 0
//	h = 0
//	speed = 0                 # m/s, in a random direction
//	fields = {}               # of each object: { hp = 30, hits = [1, 2], slot = { kind = "gold" } }
//
//	[correct]                 # how wrong a client may be before it is corrected
//	position = 0.05           # metres
//	angle = 0.05              # radians
//	velocity = 0.25           # m/s
//	angular_velocity = 0.25   # rad/s
//
//	[snapshots]               # of replicated objects; of all objects for spectators
//	rate = 20                 # per second, 4 to 128
//	bytes = 1000              # most bytes in one, 100 to 1100
//	range = 0                 # metres from a player's own objects within which objects are sent; 0: no limit
//
//	[interpolation]           # ms: how clients draw the objects of snapshots
//	first = 100               # the delay until a client knows how late snapshots arrive, 0 to 5000
//	least = 0                 # the least delay, 0 to most
//	most = 600                # the greatest delay, 0 to 5000
//	extrapolate = 500         # how long an object goes on at its velocity without a snapshot, 0 to 5000
//
//	[snapshots.layers]        # the same for the objects on one layer
//	wall = 0
//
//	[prediction]              # of predicted objects
//	range = 0                 # metres from a player's own objects within which a client predicts; 0: no limit
//
//	[prediction.layers]       # the same for the objects on one layer
//	wall = 0
package scripts
