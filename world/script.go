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

// RelevancyHook is a Script that can decide which objects a client receives.
type RelevancyHook interface {
	// HasRelevancy reports whether this bundle has a relevancy hook.
	HasRelevancy() bool
	// Relevant reports whether the owner of the object in slot viewer receives the
	// object in slot object. An error, usually a *ScriptError, means that there is no
	// answer.
	Relevant(r Reader, viewer, object int) (bool, error)
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
