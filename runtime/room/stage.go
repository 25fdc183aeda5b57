package room

// Stage is what the program behind a View is doing; for a client, how far it has got
// with joining. In JSON it is the Code.
type Stage uint8

// The stages of a client, in their order; then those of other programs.
const (
	StageConnecting Stage = iota // the link is not open yet
	StageJoining                 // the client has asked to join
	StageFetching                // bundles are on their way
	StageWaiting                 // the keyframe is on its way
	StagePlaying
	StageStalled // the client has predicted as far as it may, and waits for the host
	StageOver    // Client.Err returns the reason
	StageRunning // a host
	StageReplay  // a replay
)

var stages = [...]struct{ code, text string }{
	StageConnecting: {"connecting", "connecting"},
	StageJoining:    {"joining", "joining"},
	StageFetching:   {"fetching", "fetching scripts"},
	StageWaiting:    {"waiting", "waiting for the world"},
	StagePlaying:    {"playing", "playing"},
	StageStalled:    {"stalled", "waiting for the host"},
	StageOver:       {"over", "over"},
	StageRunning:    {"running", "running"},
	StageReplay:     {"replay", "replay"},
}

// Code returns the stage as one word, for programs. Codes do not change between
// versions.
func (s Stage) Code() string { return stages[s].code }

// String returns the stage in a few words, for people.
func (s Stage) String() string { return stages[s].text }

// MarshalText returns the Code.
func (s Stage) MarshalText() ([]byte, error) { return []byte(s.Code()), nil }
