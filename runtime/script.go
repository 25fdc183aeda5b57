package runtime

import "github.com/hindcast/hindcast/world"

// Script is a compiled bundle as the Timeline sees it; package luabind makes
// them. It keeps nothing between calls that a rewind would have to restore.
// One Script serves one Timeline, on one goroutine.
type Script interface {
	// Schema is what the bundle declares.
	Schema() *world.Schema
	// Call runs one hook of the object in slot of w.Now. An error, a
	// *world.ScriptError as a rule, concerns that one call: what it did
	// before stays, unless its Panic is set: then it has done nothing. It looks at other objects through w.See and the queries
	// only, and at nothing that belongs to the whole world but the tick and
	// the players: what it read tells whether it has to run again.
	Call(w *world.World, h world.Hook, slot int, a *world.Args) error
}

// Compile makes a Script of a bundle's files. Its error lists every problem
// as FILE:LINE: message.
type Compile func(files []world.Source, setup world.Setup) (Script, error)
