package cli

import (
	"errors"
	"flag"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/net/clocksync"
	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/linkmux"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/asset"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/replay"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/scripts"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/goscript"
	"github.com/hindcast/hindcast/world/physics"
	"github.com/hindcast/hindcast/world/physics/space"
)

// knownError is an error of the library, and the exit code of a program that
// it ends.
type knownError struct {
	name    string // as Go code writes it
	code    Code
	meaning string
	matches func(error) bool
}

// knownErrors returns every error that the library exports. The first entry that
// matches an error counts. docs/errors.md has the same table, and a test holds that
// both are complete.
func knownErrors() []knownError {
	return []knownError{
		{"flag.ErrHelp", OK, "The flags of a command were asked for with -h.", is(flag.ErrHelp)},
		{"room.ErrLeft", OK, "The client left by itself.", is(room.ErrLeft)},
		{"client.ErrStopped", OK, "The host says that the room is over.", is(client.ErrStopped)},

		{"timeline.ErrDesync", Desync,
			"A confirmed or recorded state was computed differently.", is(timeline.ErrDesync)},
		{"*client.Desync", Desync,
			"The same, from a client: with the tick, and the objects and fields that differ.",
			as[*client.Desync]()},
		{"*timeline.Mismatch", Desync,
			"The same, from check mode: a partial rewind has another result than a whole one.",
			as[*timeline.Mismatch]()},
		{"*replay.Divergence", Desync,
			"The same, from a replay: with the tick, and the objects and fields that differ.",
			as[*replay.Divergence]()},

		{"memlink.ErrProfile", Usage, "A profile of a line, as in -net, cannot be read.", is(memlink.ErrProfile)},

		{
			"bundle.ErrInvalid",
			Config,
			"A bundle of scripts is too large, damaged or inconsistent, or cannot replace the one in force.",
			is(bundle.ErrInvalid),
		},
		{"*bundle.FixedError", Config, "A setting differs that cannot change while the room runs.",
			as[*bundle.FixedError]()},
		{"*bundle.RetypedError", Config,
			"A field has another type than before, which no reload can change.", as[*bundle.RetypedError]()},
		{"asset.ErrInvalid", Config,
			"A picture, sound or font, or the list of them, is damaged, too large or of a kind that no game can " +
				"have.", is(asset.ErrInvalid)},
		{"*asset.Error", Config, "The same, with the name of the file.", as[*asset.Error]()},
		{"goscript.ErrGame", Config,
			"The rules of the room and those of the program are not the same: one of them is in Lua, or they are " +
				"of different games or versions.", is(goscript.ErrGame)},
		{"timeline.ErrNoScript", Config, "An event needs a bundle whose script is missing.", is(timeline.ErrNoScript)},
		{
			"room.ErrConfig",
			Failure,
			"A configuration lacks a setting that a host or a client needs. The error names it.",
			is(room.ErrConfig),
		},
		{"replay.ErrNoWriter", Failure, "A Recorder has no writer.", is(replay.ErrNoWriter)},
		{
			"room.ErrDriverDone",
			Failure,
			"`Driver.Do` or `Driver.Post` was called after the run of the driver.",
			is(room.ErrDriverDone),
		},
		{"client.ErrKind", Failure, "A setting of a client does not apply to its kind.", is(client.ErrKind)},
		{"*scripts.Problem", Config, "Something is wrong in a file of a game: FILE:LINE: message.",
			as[*scripts.Problem]()},
		{
			"scripts.ErrNoFile",
			Failure,
			"What stands where a file should be is a folder, a pipe or a device. It is not opened.",
			is(scripts.ErrNoFile),
		},
		{"scripts.ErrTooLong", Failure, "A file has more bytes than its reader takes.", is(scripts.ErrTooLong)},
		{"scripts.ErrManyFiles", Config, "A folder has more files and folders than a game may have.",
			is(scripts.ErrManyFiles)},
		{"scripts.ErrDeep", Config, "A folder has folders deeper within each other than a game may have.",
			is(scripts.ErrDeep)},
		{"scripts.ErrNoFolder", Config,
			"A bundle has what no folder of a game can have, such as a script whose name leads out of it.",
			is(scripts.ErrNoFolder)},
		{"*world.ClassError", Config, "The declaration of a class is wrong. The error names the class.",
			as[*world.ClassError]()},
		{"*world.ScriptError", Config,
			"A script does not load, or a hook failed: with file, line, tick and object.", as[*world.ScriptError]()},
		{"*luabind.HUDError", Config, "`hud` or `camera` of view.lua failed in a frame: with the error of each.",
			as[*luabind.HUDError]()},

		{"client.ErrRefused", Network,
			"The host did not admit the client, or closed the connection because of what the client did. The error " +
				"has the reason.", is(client.ErrRefused)},
		{"client.ErrKicked", Network, "The host has disconnected the player. The error has the reason.",
			is(client.ErrKicked)},
		{"*room.RestartError", Network,
			"The same, as the cause of a context: the host restarts, with the reason.", as[*room.RestartError]()},
		{"room.ErrRestarting", Network, "The host restarts: a client may return when it is back.",
			is(room.ErrRestarting)},
		{"client.ErrClosed", Network, "The connection was lost or never opened, or the host has failed.",
			is(client.ErrClosed)},
		{"wire.ErrNoRow", Network,
			"A snapshot needs fields that have not come, or are no longer kept. It is counted and left " +
				"out.", is(wire.ErrNoRow)},
		{"wire.ErrMalformed", Network, "A message or datagram breaks the protocol.", is(wire.ErrMalformed)},
		{"*wire.MalformedError", Network,
			"Which field of which message breaks the protocol.", as[*wire.MalformedError]()},
		{"link.ErrNoPeer", Network, "There is no such connection.", is(link.ErrNoPeer)},
		{"link.ErrTooLarge", Network, "A datagram or message is larger than the link carries.", is(link.ErrTooLarge)},
		{"link.ErrEmpty", Network, "A datagram or message has no bytes.", is(link.ErrEmpty)},
		{"link.ErrBacklog", Network, "More data waits to be sent to a peer than the link holds.", is(link.ErrBacklog)},
		{"link.ErrShutdown", Network, "The link has been shut down.", is(link.ErrShutdown)},
		{"linkmux.ErrRoomName", Failure, "A room cannot have this name, or another room has it.",
			is(linkmux.ErrRoomName)},
		{"clocksync.ErrTime", Network, "A clock sample has impossible times. It is counted and ignored.",
			is(clocksync.ErrTime)},
		{"clocksync.ErrDuplicate", Network,
			"A ping was answered twice. The second answer is counted and ignored.", is(clocksync.ErrDuplicate)},

		{"replay.ErrForeign", Failure, "The file is not a replay.", is(replay.ErrForeign)},
		{"replay.ErrVersion", Failure, "The replay was written by a version that this one cannot read.",
			is(replay.ErrVersion)},
		{"replay.ErrTruncated", Failure, "The replay is cut off. The part before the end can be used.",
			is(replay.ErrTruncated)},
		{"replay.ErrCorrupt", Failure, "The replay is damaged.", is(replay.ErrCorrupt)},
		{"replay.ErrNoTick", Failure, "The replay does not have this tick.", is(replay.ErrNoTick)},
		{"timeline.ErrThinned", Failure, "The state after this tick is not kept, although older ones are.",
			is(timeline.ErrThinned)},
		{"timeline.ErrInterrupted", Failure,
			"The program ended within a tick: the host or the client is over.", is(timeline.ErrInterrupted)},
		{"timeline.ErrSuspended", Failure,
			"The hooks of game.lua are suspended, because they were too much work: the function was not called.",
			is(timeline.ErrSuspended)},
		{"timeline.ErrAhead", Failure, "The tick has not been simulated yet.", is(timeline.ErrAhead)},
		{"timeline.ErrTooOld", Failure, "The tick is older than the history that is kept.", is(timeline.ErrTooOld)},

		{"world.ErrRemoved", Failure, "The object has been removed.", is(world.ErrRemoved)},
		{"world.ErrNoClass", Failure, "No script declares this class.", is(world.ErrNoClass)},
		{"world.ErrTooMany", Failure, "The room has its largest number of objects.", is(world.ErrTooMany)},
		{"world.ErrNoItem", Failure, "A list field has no such item, or no room for another one.", is(world.ErrNoItem)},
		{"world.ErrNoField", Failure, "The class has no such field.", is(world.ErrNoField)},
		{
			"world.ErrNoFunction",
			Failure,
			"`game.lua` declares no such function for the host program.",
			is(world.ErrNoFunction),
		},
		{"world.ErrValue", Failure, "A value does not fit its field or parameter.", is(world.ErrValue)},
		{"host.ErrNoPlayer", Failure, "There is no such player, or the player is not connected.", is(host.ErrNoPlayer)},
		{"host.ErrTooLarge", Failure, "The values of a host event do not fit into a packet.", is(host.ErrTooLarge)},
		{"world.ErrCue", Failure, "A cue has an invalid name or value.", is(world.ErrCue)},
		{"world.ErrBody", Failure, "The object has no body.", is(world.ErrBody)},
		{"world.ErrReadOnly", Failure, "A script that may only read the world tried to change it.",
			is(world.ErrReadOnly)},
		{"world.ErrFormat", Failure, "The bytes are not a state of this version.", is(world.ErrFormat)},
		{"physics.ErrShape", Failure, "A shape has an invalid size or invalid corners.", is(physics.ErrShape)},
		{"physics.ErrDef", Failure, "A body's definition has an invalid value.", is(physics.ErrDef)},
		{"physics.ErrJoint", Failure, "A joint has an invalid value.", is(physics.ErrJoint)},
		{"physics.ErrFormat", Failure, "The bytes are not a physics state of this version.", is(physics.ErrFormat)},
		{"physics.Finding", Failure,
			"A value of a state, a definition or the parameters of a step has no effect, or an unexpected " +
				"one.", as[physics.Finding]()},
		{"space.ErrID", Failure,
			"An id names no body, joint or definition of a space: it is 0, or the body, joint or definition was " +
				"removed.", is(space.ErrID)},
	}
}

// knownCode returns the exit code of the first entry that matches err; Failure
// without one.
func knownCode(err error) Code {
	for _, known := range knownErrors() {
		if known.matches(err) {
			return known.code
		}
	}
	return Failure
}

func is(target error) func(error) bool {
	return func(err error) bool { return errors.Is(err, target) }
}

func as[E error]() func(error) bool {
	return func(err error) bool { return errors.As(err, new(E)) }
}
