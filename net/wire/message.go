package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/hindcast/hindcast/world"
)

// Version is the version of the protocol. A host refuses a client that has another.
const Version = 24

// MaxDatagram is the largest size of a datagram, in bytes.
const MaxDatagram = 1100

// MaxInputs is the largest number of inputs of an InputRun: how many ticks of
// unacknowledged inputs an InputPacket repeats.
const MaxInputs = 16

// ErrMalformed is wrapped by every error of a Parse function. The error names the
// kind, the field and its place.
var ErrMalformed = errors.New("malformed message")

// MalformedError is the error of a Parse function: which field of which message is wrong. It wraps ErrMalformed.
type MalformedError struct {
	Kind  Kind
	Field string // one of a fixed set for each Kind
	At    int    // the field ends before this byte
	Why   string
}

// Error returns the error as text.
func (e *MalformedError) Error() string {
	return fmt.Sprintf("%v: %s: %s before byte %d: %s", ErrMalformed, e.Kind, e.Field, e.At, e.Why)
}

// Unwrap returns ErrMalformed.
func (e *MalformedError) Unwrap() error { return ErrMalformed }

// Kind is the first byte of a message.
type Kind uint8

// The kinds of messages. Ping, Pong, InputPacket, HostPacket, Snapshot and Motion are
// datagrams, and so is a Correction that fits into one. A larger Correction, Bundle,
// Keyframe, StateReply, Row and AssetPart are sent on the reliable stream for bulk, all others on the
// one for control.
const (
	KindPing Kind = iota + 1
	KindPong
	KindInputPacket
	KindHostPacket
	KindCorrection
	KindHello
	KindWelcome
	KindRefuse
	KindBundleWant
	KindBundle
	KindReady
	KindKeyframe
	KindAnnounce
	KindNotice
	KindChat
	KindRoster
	KindStateWant
	KindStateReply
	KindSnapshot
	KindCues
	KindMotion
	KindRow
	KindEnd
	KindAssets
	KindAssetWant
	KindAssetPart
	KindEnter
	KindProblems
)

// Ping asks for the host's time. Sent is the time of the client's clock; the Pong
// returns it.
type Ping struct{ Sent time.Duration }

// Pong answers a Ping. Host is the time of the simulation: completed ticks times the
// length of a tick, plus the elapsed part of the present tick.
type Pong struct{ Sent, Host time.Duration }

// Ack names the packets that were received: Newest, and Newest-1-i if bit i of Mask is
// set.
type Ack struct {
	Newest uint32 // 0: none yet
	Mask   uint64
}

// InputPacket is what a client sends each tick: its unacknowledged inputs, at most
// MaxRuns runs of them, what it has received, and perhaps a claim.
type InputPacket struct {
	Seq      uint32 // the number of this InputPacket, from 1
	Ack      Ack    // of HostPackets
	Snapshot uint32 // the newest Snapshot parsed, which can be a baseline; 0: none
	Row      uint32 // the newest Row received, if no Snapshot parsed has it yet; 0: none
	Cues     Ack    // of Cues, as far as the host may not know it: the newest and the 32 before; 0: none
	Runs     []InputRun
	Sights   []InputSight // of the inputs that have one, by run and input
	Claim    *Claim       // nil: none

	claim Claim // ParseInputPacket lets Claim point here and so does not allocate
}

// InputRun is the inputs of one object for successive ticks, oldest first: 1 to
// MaxInputs of them.
type InputRun struct {
	Object world.ObjectID
	Bundle uint32     // the bundle whose declaration the inputs were made with
	First  world.Tick // the tick of Inputs[0]
	Inputs []world.Input
}

// Claim is the pose and velocity that an object had at the client at the end of a
// tick, in metres, radians and seconds. The host compares it with its own state, if no
// record from KnownSeq on explains a difference.
//
// Source: the article about the networked physics of the game "Operation Black Sun": with its input, an
// owner sends the position that it claims for a moment, and the host compares it when it has simulated
// that moment.
type Claim struct {
	Object                  world.ObjectID
	Tick                    world.Tick
	KnownSeq                uint32  // the client knew every Record below this Seq when it simulated the tick
	X, Y, Angle             float32 // metres and radians
	VX, VY, AngularVelocity float32 // m/s and rad/s
}

// Motion is what the owner of objects sends besides inputs: the poses of the objects
// whose owner has authority over them, and the frames of those that tick
// independently. At most MaxRuns runs of either.
type Motion struct {
	Poses  []PoseRun
	Frames []FrameRun
}

// PoseRun is the owner poses of an object at the beginning of successive ticks: 1 to
// MaxPoses of them.
type PoseRun struct {
	Object world.ObjectID
	First  world.Tick        // tick of Places[0]
	Poses  []world.Placement // with the precision of float32; Owner is not sent
}

// FrameRun is independent frames of an object with successive numbers: 1 to MaxFrames
// of them.
type FrameRun struct {
	Object world.ObjectID
	Bundle uint32 // the bundle whose declaration the inputs were made with
	First  uint32 // the number of Frames[0]
	Frames []IndependentFrame
}

// IndependentFrame is one step of an object that ticks independently, with its length
// and its input.
type IndependentFrame struct {
	DT    uint16 // in seconds / world.FrameParts
	Input world.Input
	Sight world.Sight // of the input; nil: none
}

// HostPacket is what the host sends each client each tick: the tick that it has
// reached, which inputs it has received, and records of the applied-input log.
type HostPacket struct {
	Seq      uint32 // counts the packets to this client
	Tick     world.Tick
	Inputs   InputAck
	Channels []Channel
	Records  []Record
}

// InputAck names the ticks whose inputs the host has received: Newest, and Newest-1-i
// if bit i of Mask is set. All inputs of one tick travel together.
type InputAck struct {
	Newest world.Tick // 0: none yet
	Mask   uint16
	// by how many milliseconds the inputs that came last, with those of Newest, preceded their ticks on average;
	// below 0: they were late
	Early int32
}

// MaxEarly bounds InputAck.Early either way, in milliseconds. AppendHostPacket clamps
// it.
const MaxEarly = 8191

// Channel is a short name for an object, valid in the Records of the HostPacket that
// defines it, and of those sent after that one was acknowledged.
type Channel struct {
	Number uint16 // the short name
	Object world.ObjectID
}

// Record is one entry of the applied-input log: an event, a patch, or the commit mark of
// a tick. Records arrive in any order and more than once; Seq identifies them.
type Record struct {
	Seq     uint32
	Channel uint16 // stands for Event.Object if UsesChannel: Append ignores that, Parse leaves it 0
	Event   world.Event
	// Committed marks a commit mark: no event for Event.Tick or an earlier tick has a
	// higher Seq, and Hash is that of the host's state after the tick. Objects without an
	// input record for the tick had their input substituted.
	Committed bool
	Hash      uint64 // of a commit mark
	// Patch is a part of the patch of Event.Tick, in a room in which clients do not
	// simulate everything: world.AppendPatch, in parts of at most MaxPatch bytes in the
	// order of Seq, all below the tick's commit mark. nil: the record is no patch.
	Patch []byte
}

// MaxPatch is the largest part of a patch in one Record, in bytes.
const MaxPatch = 256

// IsEvent reports whether the record is an event.
func (r *Record) IsEvent() bool { return !r.Committed && r.Patch == nil }

// IsInput reports whether the record is an input.
func (r *Record) IsInput() bool { return r.IsEvent() && r.Event.Kind == world.InputEvent }

// UsesChannel reports whether the record names its object by a channel.
func (r *Record) UsesChannel() bool { return r.IsEvent() && UsesChannel(r.Event.Kind) }

// Correction has the exact state of the client's object and its island at a tick that
// the host may still change, and says why it is sent.
//
// Source: "Networked Physics Controller" (Michael Szolowicz): a client takes the host's state over and
// simulates its later moves again.
type Correction struct {
	Tick     world.Tick
	Object   world.ObjectID // that the claim was about
	Mismatch Mismatch       // what was wrong about the claim, and not explained by newer records
	// Cause is the newest rewind of the host that moved the object in that tick or one
	// before it. Player 0: there was none lately, or the host does not note rewinds.
	Cause RewindCause
	State []byte // world.AppendObjects
}

// MaxCues is the largest number of cues in a Cues.
const MaxCues = 64

// Cues has cues, such as sounds and flashes, of hooks that the client does not run, or runs only to guess: at most
// MaxCues.
type Cues struct {
	Seq     uint32 // the number of this Cues, from 1
	Updates []CueUpdate
}

// CueUpdate is one cue as the host has it now. The client may have had an earlier version of it.
type CueUpdate struct {
	Number    uint32 // the host numbers the cues to a client from 1
	Cancelled bool   // it did not happen after all; nothing else is set
	Later     bool   // it is shown with the interpolation delay
	Found     bool   // the client would have found it by itself, had it simulated its tick
	Own       bool   // of a replicated object of the client's player, in a committed tick: it may have guessed it
	// Like is the number of a cue that the client has, whose name, audience, duration and names of
	// fields this one has; 0: none. What Like says is not sent, and is for Complete to fill in.
	Like       uint32
	LikeObject bool      // Like has its object and owner, too
	Cue        world.Cue // its numbers are rounded; see Round
}

// Mismatch is what was wrong about a claim, as bits.
type Mismatch uint8

// The bits of a Mismatch.
const (
	MismatchPosition Mismatch = 1 << iota
	MismatchAngle
	MismatchVelocity
	MismatchAngularVelocity

	allMismatches = MismatchPosition | MismatchAngle | MismatchVelocity | MismatchAngularVelocity
)

// Words names what was wrong, for people.
func (w Mismatch) Words() (out []string) {
	for i, word := range [...]string{"position", "angle", "velocity", "angular velocity"} {
		if w&(1<<i) != 0 {
			out = append(out, word)
		}
	}
	return out
}

// RewindCause is why a host rewound: for an input of Player for Tick, which came Late
// ticks too late.
type RewindCause struct {
	Player world.PlayerID
	Tick   world.Tick
	Late   uint32
}

// Ticket is a secret that the host gives a player in Welcome, and that the player shows
// in Hello to return. Its first two bytes are the player's number, little endian, for a host that does not know it.
// All 0: none.
type Ticket [16]byte

// Number returns the number of the player that the ticket names; 0: it names none.
func (t *Ticket) Number() world.PlayerID { return world.PlayerID(binary.LittleEndian.Uint16(t[:])) }

// SetNumber makes the ticket name a player; 0: none. A host that knows the secret takes no other number than its own or
// 0.
func (t *Ticket) SetNumber(p world.PlayerID) { binary.LittleEndian.PutUint16(t[:], uint16(p)) }

// Secret returns the part of the ticket that nobody else knows.
func (t *Ticket) Secret() []byte { return t[2:] }

// Hello asks to join. Token is for the host program to judge.
type Hello struct {
	Version uint16 // the Version of the client
	Name    string // of the player, at most MaxName bytes
	Token   []byte
	Ticket  Ticket // from an earlier Welcome; all 0: a new player
	// AtOnce says that the client takes the bundles and the Keyframe with the Welcome, unasked: that saves it two round
	// trips. Then Snapshots and Onlooker are as in Ready; otherwise they are false.
	AtOnce, Snapshots, Onlooker bool
}

// Welcome admits a client as a player, and names the bundles it needs.
type Welcome struct {
	Player  world.PlayerID
	Ticket  Ticket     // with which this player can return
	Bundles []Announce // in force now or to come, oldest first
	Follow  bool       // the bundles and the Keyframe follow on the same stream, as if the client had sent Ready
}

// Announce says that bundle Number takes effect at Tick.
type Announce struct {
	Number uint32
	Tick   world.Tick
	Hash   [32]byte // SHA-256 of the bundle's bytes
	Bytes  uint32   // the size of the bundle
}

// Refuse says that the client may not join, or must leave. Reason is for people.
type Refuse struct{ Reason string }

// EndCause is why the stay of a client ends.
type EndCause uint8

// The causes of an End.
const (
	EndOver     EndCause = iota + 1 // the room is over: there is nothing to return to
	EndFailed                       // the host cannot go on: clients may try to return to one that replaces it
	EndRestarts                     // the host restarts: clients wait for it, and return
	EndKicked                       // the program of the host has disconnected this player, and nobody else
)

// End says that the client must leave, because the host stops or the player was kicked. Reason is for people.
type End struct {
	Cause  EndCause
	Reason string // at most MaxReason bytes
}

// BundleWant asks for a bundle by its hash.
type BundleWant struct {
	Hash [32]byte
	// Base is a bundle that the client has, or has asked for before: the host may pack this one against it. All 0: none
	Base [32]byte
}

// Bundle has the bytes of a bundle, compressed. The host sends it after each Announce, and when it is asked for.
type Bundle struct {
	Hash [32]byte // SHA-256 of the bundle's bytes
	Base [32]byte // of the bundle against which it is packed; all 0: against none
	Data []byte
}

// Keyframe is a committed state and the inputs that still act in it. Everything that
// happened later follows as Records, from FirstSeq on.
type Keyframe struct {
	FirstSeq    uint32
	Snapshot    uint32        // the number of State as a baseline of Snapshots; 0: none will come
	LastInputs  []world.Event // the last input of each owned object, at its own tick
	State       []byte        // world.AppendState
	PoseHistory []byte        // world.AppendPoseHistory; empty: no class has seen = true
}

// NoticeKind is what a Notice is about.
type NoticeKind uint8

// The kinds of notices.
const (
	NoticeDropped NoticeKind = iota + 1 // inputs for ticks older than max_rewind
	// inputs that break a rule: not the player's object, out of range, too far ahead
	NoticeRefused
	NoticeLead // inputs arrive late: the client should increase its lead by Count milliseconds
)

// Notice notifies a player that inputs were not applied, or that they arrive too late.
type Notice struct {
	Kind   NoticeKind
	Tick   world.Tick // of the newest input concerned
	Count  uint32     // of inputs
	Reason string     // for people
}

// Chat is a line of text from a player. Player is 0 towards the host.
type Chat struct {
	Player world.PlayerID
	Text   string // at most MaxChat bytes
}

// Roster lists the players present.
type Roster struct{ Players []RosterEntry }

// RosterEntry is a player, their name, and how far away they are.
type RosterEntry struct {
	Player world.PlayerID
	Name   string // at most MaxName bytes
	Ping   uint16 // ms of round trip between the host and the player; 0: not known
}

// Note begins a text of Problems.Warned that is no mistake: a saved change that nobody sees at once, and why.
const Note = "changed: "

// Problems is what is wrong with the scripts of a room now. It takes the place of the one before.
type Problems struct {
	// Refused is why saved scripts are not in force, at most MaxRefusals texts of MaxProblem bytes, each FILE:LINE:
	// message, or a message without a place; none: they are.
	Refused []string
	Held    bool      // nothing is refused: the host waits whether the files stay so. Refused says what would happen
	Warned  []string  // likely mistakes in scripts that were saved a moment ago and are in force, as Refused
	Failed  []Failure // hooks and other functions, at most MaxFailures: the newest, the last one last
}

// Failure is a function of the scripts that has failed.
type Failure struct {
	Tick    world.Tick
	Until   world.Tick     // the function is paused for the object until this tick; 0: it is not
	Object  world.ObjectID // 0: none
	Others  uint32         // of how many other objects of the class the function is paused, too
	Class   string         // of the object, at most MaxClass bytes
	Hook    string         // the name of the function, at most MaxClass bytes
	Place   string         // FILE:LINE, at most MaxReason bytes; "": not known
	Message string         // what went wrong, at most MaxProblem bytes
}

// IsSlowness reports whether it is no failure of a function, but says why the host cannot keep up with real time.
func (f *Failure) IsSlowness() bool { return f.Hook == "" && f.Until == 0 && f.Place == "" }

// StateWant asks for the host's state at a committed tick, for which the client has
// Hash and not that of the commit mark.
type StateWant struct {
	Tick world.Tick
	Hash uint64
}

// StateReply has the state that a StateWant asked for or, if the host no longer keeps
// it, that of the oldest tick that it keeps.
type StateReply struct {
	Tick  world.Tick
	State []byte // world.AppendState; empty: the host has none
}

// Row is all fields of one object at the end of Tick. The host sends it when a change of the
// fields would take too much of a Snapshot. After the client has acknowledged it, Snapshots
// refer to it by its number.
type Row struct {
	Number uint32 // of the Rows to this client, from 1
	Bundle uint32 // whose schema Class and Words are by
	Object world.ObjectID
	Class  uint16 // its number in the schema
	Tick   world.Tick
	Words  []int64 // as Snapshot.Fields returns them
}
