// Package scripts holds the games and bots that are built in, and makes a
// Game, with its bundle.Bundle, of a folder:
//
//	game, err := scripts.LoadDir("mygame")   // or Load(fsys, "arena")
//	if err != nil { ... }                    // mygame/game.toml:3: ..., all at once
//	script, err := game.Compile(compile)     // a world.Compile, from luabind
//	host, err := runtime.NewHost(runtime.HostConfig{Bundle: game.Bundle, ...})
//
// A game is a folder with game.toml and *.lua files. The scripts at its top
// level are loaded in name order, game.lua last. Left out are *_test.lua (in
// Game.Tests), *_bot.lua, names that begin with a dot, and folders; view.lua runs
// on clients only. What game.toml may say, with what holds when it does not (only name has to be there):
//
//	name = "arena"            # 1 to 64 bytes
//	tick_rate = 60            # Hz, 20 to 128
//	seed = 1
//
//	[history]                 # ms, rounded up to ticks
//	max_rewind = 400          # inputs later than this are dropped, 0 to 2000
//	rewind_work = 8           # how many times all objects may be run again in one tick, 1 to 1000
//	max_seen = 1000           # how far back asSeen looks at most, 0 to 5000
//
//	[input]                   # ms
//	repeat = 250              # a missing input repeats the last one so long, 0 to 5000
//	max_ahead = 1000          # inputs further ahead are refused, 1 to 5000
//	again = "first"           # which of a player's inputs for the same tick counts: "first" or "newest"
//	redundancy = 16           # of how many ticks inputs go into each datagram until the host has them, 1 to 16
//	lead = 4                  # ms before their tick that inputs should come, -max_rewind to max_ahead; below 0: after it, and the host rewinds
//
//	[players]
//	max = 64                  # 1 to 128
//	grace = 30000             # ms that a leaver's objects stay, at most an hour
//
//	[limits]
//	objects = 16384           # that the room holds at most, 16 to 16384
//
//	[net]                     # what the host program listens on; see Game
//	port = 7777               # UDP
//	http = 7778
//
//	[physics]
//	substeps = 4              # 1 to 16
//	gravity = [0, 0]          # m/s2
//
//	[arena]                   # metres, its centre at 0, 0
//	width = 40
//	height = 24
//	walls = false             # true: four walls, 1 m thick, with their inner edges at the arena's
//	wall_friction = 0         # of these, and of each [[wall]] that does not say
//	wall_restitution = 0
//
//	[[wall]]                  # a static box: its centre and full size in metres
//	x = 0
//	y = 0
//	w = 4                     # w and h have to be there
//	h = 1
//	angle = 0                 # radians
//	friction = 0
//	restitution = 0
//
//	[[spawn]]                 # objects at the start, anywhere in a box
//	class = "Crate"           # has to be there
//	count = 1
//	x = 0                     # the box: its centre and full size in metres
//	y = 0
//	w = 0
//	h = 0
//	speed = 0                 # m/s, in a random direction
//
//	[correct]                 # how wrong a client may be before it is corrected
//	position = 0.05           # metres
//	angle = 0.05              # radians
//	velocity = 0.25           # m/s
//	angular_velocity = 0.25   # rad/s
//
//	[snapshots]               # to clients that watch
//	rate = 20                 # a second, 4 to 128
//	bytes = 1000              # at most in one, 100 to 1100
//	range = 0                 # metres from what a player owns within which he is told of things; 0: however far
//
//	[snapshots.layers]        # the same for what is on a layer
//	wall = 0
//
// Games and Builtin name the games built in, Bots and Bot the bots: Lua files
// for luabind.NewBot. The package reads Lua but does not run it: package
// luabind does.
package scripts
