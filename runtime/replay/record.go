package replay

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
)

// Kind says what a Record is.
type Kind uint8

// The records. Their numbers are in files: never change one.
const (
	Tick       Kind = iota + 1 // the host has simulated Tick
	Event                      // Event arrived
	Mark                       // the state after Tick has Hash; Committed: the tick is committed
	Bundle                     // Number, in force from Tick on: Hash32 and, the first time, Data
	Keyframe                   // State of Tick, which is committed, and everything that a simulation from there needs
	State                      // the host's State of Tick, to compare with; a simulation does not need it
	Correction                 // Player was sent a correction of Object in Tick, Distance metres wrong
	Notice                     // Count inputs of Player, up to Tick, were not applied: Text says why
	Name                       // Player is called Text
	Object                     // Object is of class Text
	End                        // the host stopped properly
	Chat                       // Player, or the host (0), said Text to all
)

// String returns the kind in a word.
func (k Kind) String() string {
	names := [...]string{
		"none",
		"tick",
		"event",
		"mark",
		"bundle",
		"keyframe",
		"state",
		"correction",
		"notice",
		"name",
		"object",
		"end",
		"chat",
	}
	if int(k) < len(names) {
		return names[k]
	}
	return fmt.Sprintf("record(%d)", uint8(k))
}

// Record is one record of a file. Its Kind says which fields it has.
type Record struct {
	Kind        Kind
	Tick        world.Tick
	Event       world.Event
	Hash        uint64        // Mark: of the state after Tick
	Committed   bool          // Mark: Tick is committed
	Number      uint32        // Bundle: in the match, from 1
	Hash32      [32]byte      // Bundle: of its content
	Data        []byte        // of a bundle; when read, a part of the block
	State       []byte        // as world.AppendState writes it; when read, a part of the block
	PoseHistory []byte        // Keyframe: as world.AppendPoseHistory writes it; when read, a part of the block
	Clock       world.Tick    // Keyframe: the last tick that the host had simulated
	Held        []world.Event // Keyframe: each object's newest input up to Tick
	Coming      []world.Event // Keyframe: the events of ticks after Tick that are known at Clock
	Names       []Named       // Keyframe: the players who are present
	Player      world.PlayerID
	Object      world.ObjectID
	Distance    float64 // Correction: metres
	Count       int     // Notice: the number of inputs
	Text        string  // Notice, Name, Object, Chat
}

// Named is a player's name.
type Named struct {
	Player world.PlayerID
	Name   string // as they joined with
}

// maxText bounds names and reasons; longer ones are cut when they are written.
const maxText = 256

// Append appends the byte form of a record.
func Append(b []byte, r *Record) []byte {
	b = append(b, byte(r.Kind))
	switch r.Kind {
	case Tick:
		b = number(b, r.Tick)
	case Event:
		b = wire.AppendEvent(b, &r.Event)
	case Mark:
		b = append(number(b, r.Tick), flag(r.Committed))
		b = binary.LittleEndian.AppendUint64(b, r.Hash)
	case Bundle:
		b = append(number(number(b, r.Number), r.Tick), r.Hash32[:]...)
		b = appendBytes(b, r.Data)
	case Keyframe:
		b = appendKeyframe(b, r)
	case State:
		b = appendBytes(number(b, r.Tick), r.State)
	case Correction:
		b = object(number(number(b, r.Tick), r.Player), r.Object)
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(r.Distance))
	case Notice:
		b = appendText(number(number(number(b, r.Tick), r.Player), r.Count), r.Text)
	case Name:
		b = appendText(number(b, r.Player), r.Text)
	case Object:
		b = appendText(object(b, r.Object), r.Text)
	case Chat:
		text := r.Text[:min(len(r.Text), wire.MaxChat)]
		b = append(number(number(b, r.Player), len(text)), text...)
	}
	return b
}

func appendKeyframe(b []byte, r *Record) []byte {
	b = appendBytes(appendBytes(number(number(b, r.Tick), r.Clock), r.State), r.PoseHistory)
	for _, events := range [][]world.Event{r.Held, r.Coming} {
		b = number(b, len(events))
		for i := range events {
			b = wire.AppendEvent(b, &events[i])
		}
	}
	b = number(b, len(r.Names))
	for _, n := range r.Names {
		b = appendText(number(b, n.Player), n.Name)
	}
	return b
}

// number appends a whole number that is not negative.
func number[T ~uint16 | ~uint32 | ~int](b []byte, v T) []byte {
	return binary.AppendUvarint(b, uint64(v))
}

func object(b []byte, id world.ObjectID) []byte {
	return binary.LittleEndian.AppendUint64(b, uint64(id))
}

func flag(v bool) byte {
	if v {
		return 1
	}
	return 0
}

func appendBytes(b, data []byte) []byte { return append(number(b, len(data)), data...) }

func appendText(b []byte, s string) []byte {
	s = s[:min(len(s), maxText)]
	return append(number(b, len(s)), s...)
}
