package world

// Script is a compiled bundle. Package luabind makes Scripts from Lua files.
// A Script keeps no state between calls that a rewind would have to restore.
// One Script serves one driver, on one goroutine.
type Script interface {
	// Schema returns the declarations of the bundle.
	Schema() *Schema
	// Call runs hook h of the acting object, which is in the given slot of a.State().
	// An error, usually a *ScriptError, concerns this call only. The effects of the
	// hook before the failure stay, unless the error's Panic is set: then the call has
	// changed nothing.
	//
	// The hook reads other objects only through a.See and the queries. From the state
	// it reads only its own object, the tick and the players. Its reads decide whether
	// it has to run again.
	Call(a Actor, h Hook, slot int, args *Args) error
}

// Compile makes a Script of a bundle's files. Its error lists every problem
// as FILE:LINE: message.
type Compile func(files []Source, setup Setup) (Script, error)

// PredictionHook is a Script that can decide which objects a client predicts in all ticks.
type PredictionHook interface {
	// HasPrediction reports whether this bundle has a prediction hook.
	HasPrediction() bool
	// Predicted reports whether the client of the owner of the object in slot viewer predicts the
	// object in another slot of r.State(). The client asks it between ticks. It cannot change
	// anything. An error counts as yes.
	Predicted(r Reader, viewer, object int) (bool, error)
}

// RelevancyHook is a Script that can decide which objects a client receives.
type RelevancyHook interface {
	// HasRelevancy reports whether this bundle has a relevancy hook.
	HasRelevancy() bool
	// Relevant reports whether the owner of the object in slot viewer receives the
	// object in slot object. An error, usually a *ScriptError, means that there is no
	// answer.
	Relevant(r Reader, viewer, object int) (bool, error)
}

// ChatFilter is a Script that can decide about lines of chat.
type ChatFilter interface {
	// FilterChat returns what everybody gets of a line of chat of a player; ok is false if that is nothing. The
	// host asks it between ticks. It cannot change anything. With an error, usually a *ScriptError, it
	// returns text itself.
	FilterChat(r Reader, p PlayerID, text string) (filtered string, ok bool, err error)
}

// ShowFunctions is a Script with functions for the fields whose Show is ShowFunction.
type ShowFunctions interface {
	// ShowField returns what viewers show of a field of a class, an index in its Fields, at a
	// part, between 0 and 1, of the time between the values a and b, which differ. It is called
	// to draw a frame, never within a tick, and changes nothing. The result is of the field's
	// kind. After an error, usually a *ScriptError, the field steps.
	ShowField(c *Class, field int, a, b Value, part float64) (Value, error)
}

// ChangeTracer is a Script that can report each change together with the line
// that makes it.
type ChangeTracer interface {
	// TraceChanges calls f for every change until it is called again. A nil f
	// ends the trace.
	TraceChanges(f func(Change))
}

// SourceLines is a Script that can report which source line runs.
type SourceLines interface {
	// Line returns the line that is being run. It is valid while a hook runs.
	Line() (file string, line int)
	// ReturnLine returns the line at which the last hook ended that ran while
	// changes were traced, usually the line of its return. A line of 0 means
	// that there was none.
	ReturnLine() (file string, line int)
}

// InstructionCounter is a Script that counts the instructions of its hooks.
type InstructionCounter interface {
	// Instructions returns the number of instructions that the last Call took,
	// those of the onSpawn hooks that ran within it included.
	Instructions() int
}
