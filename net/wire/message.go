package wire

import (
	"errors"
	"time"

	"github.com/hindcast/hindcast/world"
)

// Version is the version of this protocol. Host and client must agree.
const Version = 7

// MaxDatagram is the most bytes one datagram may have.
const MaxDatagram = 1100

// MaxInputs is how many ticks of unacknowledged input one InputPacket repeats.
const MaxInputs = 16

// ErrMalformed is what every Parse function gives for bytes that are not a
// message, wrapped with what was wrong.
var ErrMalformed = errors.New("malformed message")

// Kind is a message's first byte.
type Kind uint8

// The messages. The first four, Snapshot and Motion are datagrams, and so is a Correction that fits
// one; a larger one, Bundle, Keyframe and StateReply go on the reliable stream
// for bulk, the others on that for control.
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
)

// Ping asks for the host's time; Sent is the client's clock, returned as it came.
type Ping struct{ Sent time.Duration }

// Pong answers a Ping. Host is the time of the simulation: tick number times
// tick length, plus how far the present tick has got.
type Pong struct{ Sent, Host time.Duration }

// Ack names datagrams received: Newest, and bit i of Mask for Newest-1-i.
type Ack struct {
	Newest uint32 // 0: none yet
	Mask   uint64
}

// InputPacket is what a client sends each tick: its unacknowledged inputs, what
// it has received, and where it believes its object was. At most MaxRuns runs.
type InputPacket struct {
	Seq uint32 // of this client's InputPackets, from 1
	Ack Ack    // of HostPackets
	// Snapshot is the newest Snapshot read, on which others can be built; 0: none.
	Snapshot uint32
	Runs     []InputRun
	Claim    *Claim

	claim Claim // where ParseInputPacket keeps Claim, so as not to allocate
}

// InputRun is one object's inputs for successive ticks, oldest first: 1 to
// MaxInputs of them.
type InputRun struct {
	Object world.ObjectID
	Bundle uint32     // the bundle by whose declaration they were made
	First  world.Tick // tick of Inputs[0]
	Inputs []world.Input
}

// Claim is where and how fast the client believes its object was at the end of
// a tick, and how much of the host's log it knew when it simulated that tick.
type Claim struct {
	Object              world.ObjectID
	Tick                world.Tick
	KnownSeq            uint32 // the client had every Record below this Seq
	X, Y, Angle         float32
	VX, VY, AngularRate float32
}

// Motion is what the owner of objects says of them besides his inputs: where
// those are that he moves himself, and the frames of those that tick
// independently. At most MaxRuns runs of either.
type Motion struct {
	Poses  []PoseRun
	Frames []FrameRun
}

// PoseRun is where an object is at the beginning of successive ticks: 1 to
// MaxPoses of them.
type PoseRun struct {
	Object world.ObjectID
	First  world.Tick        // tick of Places[0]
	Poses  []world.Placement // with the digits of float32s; Owner is not sent
}

// FrameRun is successive frames for an object: 1 to MaxFrames of them.
type FrameRun struct {
	Object world.ObjectID
	Bundle uint32 // the bundle by whose declaration the inputs were made
	First  uint32 // number of Frames[0]
	Frames []IndependentFrame
}

// IndependentFrame is a frame of an owner's.
type IndependentFrame struct {
	DT    uint16 // in world.FrameParts of a second
	Input world.Input
}

// HostPacket is what the host sends each client each tick: the tick it has
// reached, which inputs have arrived, and news of the applied-input log.
type HostPacket struct {
	Seq      uint32
	Tick     world.Tick
	Inputs   InputAck
	Channels []Channel
	Records  []Record
}

// InputAck names the ticks whose inputs have reached the host: Newest, and bit
// i of Mask for Newest-1-i. One tick's inputs travel together.
type InputAck struct {
	Newest world.Tick // 0: none yet
	Mask   uint16
	Early  int32 // ms by which the inputs that came last, with those of Newest, came before their ticks were due, on average; below 0: after
}

// MaxEarly bounds InputAck.Early, either way: what is more is written as this.
const MaxEarly = 8191

// Channel is a short name for an object in the Records of this HostPacket and
// of those sent once this one was acknowledged.
type Channel struct {
	Number uint16
	Object world.ObjectID
}

// Record is one entry of the applied-input log: an event, or the mark that a
// tick is final. Entries arrive in any order; Seq tells them apart.
type Record struct {
	Seq     uint32
	Channel uint16 // of an InputEvent, a OwnerPoseEvent and a FrameEvent: stands for Event.Object (which Append ignores and Parse leaves 0)
	Event   world.Event
	// Committed: no event for Event.Tick or before has a higher Seq, and the
	// host's state after that tick hashes to Hash. An owned object without a
	// record for it had its input substituted.
	Committed bool
	Hash      uint64
	// Patch is a part of what the host gives of Event.Tick, in a room in which clients do
	// not simulate all: world.AppendPatch, the parts in the order of Seq, all
	// before the tick is Final. At most MaxPatch bytes; not empty, but for nil.
	Patch []byte
}

// MaxPatch is the most bytes of what is given that one Record has.
const MaxPatch = 256

// IsEvent reports whether a Record is an event.
func (r *Record) IsEvent() bool { return !r.Committed && r.Patch == nil }

// IsInput reports whether a Record is an input.
func (r *Record) IsInput() bool { return r.IsEvent() && r.Event.Kind == world.InputEvent }

// UsesChannel reports whether a Record names its object by a channel.
func (r *Record) UsesChannel() bool { return r.IsEvent() && UsesChannel(r.Event.Kind) }

// Correction carries the exact bits of the client's object and its island for
// a tick that the host may still change, and says why they are sent.
type Correction struct {
	Tick     world.Tick
	Object   world.ObjectID // that the claim was about
	Mismatch Mismatch       // in what the claim was wrong, though nothing it could not know explains it
	// Cause is the newest rewind of the host's that moved the object in that tick
	// or one before it; Player 0: there was none lately, or it does not note them.
	Cause RewindCause
	State []byte // world.AppendObjects
}

// MaxCues is how many cues a Cues tells of.
const MaxCues = 64

// Cues tells one who does not simulate of cues: what there is to be seen and
// heard, and what has become of what he was told of.
type Cues struct{ Updates []CueUpdate }

// CueUpdate is what happened to one cue.
type CueUpdate struct {
	Change byte // CueFired, CueMoved or CueCancelled
	Cue    world.Cue
	Was    world.CueKey // of CueMoved: that it had before
}

// What happens to cues.
const (
	CueFired byte = iota
	CueMoved
	CueCancelled
)

// Mismatch is in what a claim was wrong, as bits.
type Mismatch uint8

// What a claim can be wrong in.
const (
	MismatchPosition Mismatch = 1 << iota
	MismatchAngle
	MismatchVelocity
	MismatchAngularVelocity

	allMismatches = MismatchPosition | MismatchAngle | MismatchVelocity | MismatchAngularVelocity
)

// Words names what is wrong.
func (w Mismatch) Words() (out []string) {
	for i, word := range [...]string{"position", "angle", "velocity", "angular velocity"} {
		if w&(1<<i) != 0 {
			out = append(out, word)
		}
	}
	return out
}

// RewindCause is why a host went back: for the input of a player, made for a tick,
// that came so many ticks late.
type RewindCause struct {
	Player world.PlayerID
	Tick   world.Tick
	Late   uint32
}

// Ticket is what a player was given when he joined and shows to come back: a
// secret of the host and his. All 0: none.
type Ticket [16]byte

// Hello asks to join.
type Hello struct {
	Version uint16
	Name    string
	Token   []byte
	Ticket  Ticket // of him who comes back
}

// Welcome admits a client as a player, and names the bundles it needs.
type Welcome struct {
	Player  world.PlayerID
	Ticket  Ticket     // with which this player can come back
	Bundles []Announce // those in force now or to come, oldest first
}

// Announce says that a bundle takes effect at a tick.
type Announce struct {
	Number uint32
	Tick   world.Tick
	Hash   [32]byte // SHA-256 of the bundle's bytes
	Bytes  uint32
}

// Refuse turns a client away. Reason is for people.
type Refuse struct{ Reason string }

// BundleWant asks for a bundle by its hash.
type BundleWant struct{ Hash [32]byte }

// Bundle is a bundle's bytes.
type Bundle struct{ Data []byte }

// Ready says that the client has compiled what Welcome named and wants the world.
type Ready struct {
	Snapshots    bool   // it will not simulate: it is to be told where things are
	LastInputSeq uint32 // Seq of the newest InputPacket it has sent: later ones say that the world has come; 0: none
}

// Keyframe is a confirmed state and the inputs that still act in it; all that
// happened after it follows as Records, the first of which is FirstSeq.
type Keyframe struct {
	FirstSeq    uint32
	Snapshot    uint32        // the number of State as the base of Snapshots; 0: none will come
	LastInputs  []world.Event // the last input of each owned object, at its own tick
	State       []byte        // world.AppendState
	PoseHistory []byte        // world.AppendPoseHistory, for asSeen; empty: no class has Seen
}

// NoticeKind says what the host tells a player about his inputs.
type NoticeKind uint8

// The notices.
const (
	NoticeDropped NoticeKind = iota + 1 // older than max_rewind
	NoticeRefused                       // not yours, out of range, too far ahead
	NoticeLead                          // Count: by how many milliseconds more than the client would by itself it is to run ahead
)

// Notice tells a player that inputs were not applied, or come too late.
type Notice struct {
	Kind   NoticeKind
	Tick   world.Tick // of the newest one
	Count  uint32
	Reason string
}

// Chat is a line that a player says; Player is 0 towards the host.
type Chat struct {
	Player world.PlayerID
	Text   string
}

// Roster names the players present.
type Roster struct{ Players []RosterEntry }

// RosterEntry is a player's name.
type RosterEntry struct {
	Player world.PlayerID
	Name   string
}

// StateWant asks for the host's state of a confirmed tick, because Hash is
// what the client has for it.
type StateWant struct {
	Tick world.Tick
	Hash uint64
}

// StateReply is that state or, if the host does not keep it any more, that of
// the oldest tick it keeps. Empty: it has none.
type StateReply struct {
	Tick  world.Tick
	State []byte
}
