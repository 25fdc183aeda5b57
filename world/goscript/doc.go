// Package goscript runs rooms whose rules are in Go instead of Lua. A Game declares
// classes with their fields, inputs and hooks; [Compile] makes a world.Compile from it,
// for hosts, clients and players of replays.
//
//	g := goscript.NewGame("ships", "1")
//	ship := g.Class(world.Class{Name: "Ship", Body: goscript.Dynamic(physics.CircleShape(0.5))})
//	accel := ship.Button("Accel", "ArrowUp")
//	bumps := ship.Number("bumps", 0)
//	ship.ApplyInput = func(a goscript.Actor, self goscript.Object, in *world.Input) {
//		self.Body().SetDirectionalForce(self.Body().Pose().Angle, 16*accel.Value(in))
//	}
//	ship.OnContact = func(a goscript.Actor, self, other goscript.Object, c *world.Contact) {
//		bumps.Add(self, 1)
//	}
//	g.OnJoin = func(a goscript.Actor, player world.PlayerID) {
//		a.Spawn(ship, goscript.OwnedBy(player))
//	}
//
//	room := &bundle.Bundle{Game: "ships", Setup: ..., Rules: ..., Files: []world.Source{g.Source()}}
//	compile := goscript.Compile(g)
//
// Fields and inputs are handles: declared once, read and written with their Get and
// Set. An [Actor] is the world as the running hook may see and change it. An [Object]
// is one object in it. Everything that scripts in Lua can do is available, with the
// same order of effects: what a hook does to its own object takes effect at once, what
// it does to others when the order ends, and it sees others as they were when the order
// began. A class of a Lua script and the same class in Go have the same states and the
// same hashes.
//
// # What you own
//
// The rules must compute the same on every machine, however often a tick is
// simulated. The compiler does not check that. In hooks, and in what they call:
//
//   - Keep all state in declared fields. A rewind restores nothing else: no variable
//     of a closure or of the package, no map, no channel.
//   - Read no clock, file, environment or random source other than Actor.Random, start
//     no goroutine, and do not iterate over a map.
//   - Use package detmath instead of the functions of package math that round
//     differently between CPUs: Sin, Cos, Exp, Pow and the like. Sqrt, Floor, Abs and
//     the operators are exact.
//   - Write float64(a*b) + c where a product is added. Some CPUs would compute the
//     two in one step, with other bits.
//
// Check mode (host.Config.Verify, client.Config.Verify, simtest) finds most violations:
// it does each rewind again in full and compares.
//
// # The version of the rules
//
// Go code does not travel with the bundle, so its one file names the game instead:
// [Game.Source] holds the name, the version and a hash of the declarations. Programs
// with another name, version or declaration refuse the bundle with [ErrGame]: a client
// does not join the room, and says why. Code within hooks is not hashed. If it differs
// under the same version, the first tick that comes out differently is reported as a
// desync. Raise the version with every change of the rules.
//
// Compile takes several games: a room can switch from one version to the next while
// it runs (Host.Switch), and Migrate fills the new fields of the old ones.
//
// # What is bounded
//
// A panic in a hook, of your code or because a call cannot be carried out, ends the hook.
// It is reported as a *world.ScriptError with the line of your program. What the hook did
// before stays; after world.FaultLimit such errors in a row the hook of that object is
// paused. If the panic came from the world itself, the effects of
// the hook are undone.
//
// The calls of hooks to the world are bounded: [HookBudget] for the calls of a hook,
// [OrderBudget] for those of an object in one order, world.MaxSpawns, world.MaxCues,
// and OnSpawn hooks within each other, eight deep.
//
// The computations of a hook are not. An endless loop, endless recursion and unlimited
// memory stop the program, as they do in any Go code. Rules in Go are a part of the
// program, not guests in it: rooms that run untrusted scripts use Lua.
//
// # Concurrency
//
// A Game is declared in one goroutine. What Compile returns is safe for concurrent
// use. A script that it makes, with its actors and objects, serves one goroutine.
package goscript
