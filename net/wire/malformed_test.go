package wire

import (
	"encoding/hex"
	"errors"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

func TestTruncated(t *testing.T) {
	for _, c := range codecs() {
		for _, m := range c.samples {
			b := c.append(nil, m)
			for n := range b {
				if _, err := c.parse(b[:n:n]); !errors.Is(err, ErrMalformed) {
					t.Errorf("%s cut to %d of %d bytes: %v", c.kind, n, len(b), err)
				}
			}
			if _, err := c.parse(append(b, 0)); !errors.Is(err, ErrMalformed) {
				t.Errorf("%s with a byte too many: %v", c.kind, err)
			}
			b[0]++
			if _, err := c.parse(b); !errors.Is(err, ErrMalformed) || !strings.Contains(err.Error(), "kind") {
				t.Errorf("%s with the kind of %s: %v", c.kind, KindOf(b), err)
			}
		}
	}
}

// If one byte of a message is changed, the parser returns an error that wraps ErrMalformed, a
// message, or ErrNoRow for a snapshot that refers to another row.
func TestFlipped(t *testing.T) {
	for _, c := range codecs() {
		for _, m := range c.samples {
			b := c.append(nil, m)
			for i := range b {
				for flip := range 255 {
					b[i] ^= byte(flip + 1)
					if _, err := c.parse(b); err != nil && !errors.Is(err, ErrMalformed) && !errors.Is(err, ErrNoRow) {
						t.Errorf("%x: %v", b, err)
					}
					b[i] ^= byte(flip + 1)
				}
			}
		}
	}
}

// The parsers refuse these bytes, and the error names the field.
func TestMalformed(t *testing.T) {
	long := func(n int) string { return strings.Repeat("61", n) }
	cases := []struct {
		why, hex, field string
	}{
		{"a number of more bytes than needed", "05 8100 00", "tick"},
		{"a tick above 32 bits", "05 8080808010 00", "tick"},
		{"a number above 64 bits", "05 ffffffffffffffffff7f 00", "tick"},
		{"a state longer than the bytes", "05 01 0000000000000000 00 00 7f", "state"},
		{"a state of 2^31 bytes", "05 01 0000000000000000 00 00 8080808008", "state"},
		{"a player above 16 bits", "0f 808004 00", "player"},
		{"text that is not UTF-8", "0f 01 01 ff", "text"},
		{"text with a line break", "0f 01 01 0a", "text"},
		{"text with C1 control", "0f 01 02 c285", "text"},
		{"text that turns what follows round", "0f 01 03 e280ae", "text"},
		{"text with an isolate", "0f 01 03 e281a7", "text"},
		{"a chat of 513 bytes", "0f 01 8104" + long(513), "text"},
		{"a claim that was wrong in what there is not", "05 01 0000000000000000 10 00 00", "mismatch"},
		{"a rewind of a tick before 0", "05 01 0000000000000000 01 03 03 00 00", "cause tick"},
		{"65 cues", "14 01 41" + long(65*16), "updates"},
		{"a cancelled cue that is like another", "14 01 01 01 03", "head"},
		{"a cue that says what is no number", "14 01 01 01 00 02 0000000000000000 00 00 00 00 00 01 00 02 0000c07f", "float"},
		{"a name of 33 bytes", "06 1800 21" + long(33) + "00", "name"},
		{"a token of 1025 bytes", "06 1800 00 8108" + long(1025), "token"},
		{"a wish of a Hello that is none", "06 1800 00 00" + strings.Repeat("00", 16) + "08", "bits"},
		{"an onlooker who does not want the keyframe at once", "06 1800 00 00" + strings.Repeat("00", 16) + "04", "bits"},
		{"a Welcome that is followed by what is not", "07 01" + strings.Repeat("00", 16) + "00 02", "bits"},
		{"a bundle without a base", "0a" + long(32) + long(31), "base"},
		{"a reason of 257 bytes", "08 8102" + long(257), "reason"},
		{"inputs 8192 ms late", "04 01 01 01 00 ff7f 00", "early"},
		{"a notice of no kind", "0e 00 01 01 00", "kind"},
		{"a notice of kind 4", "0e 04 01 01 00", "kind"},
		{"an end without a cause", "17 00 00", "cause"},
		{"an end of cause 5", "17 05 00", "cause"},
		{"65 bundles", "07 01 41" + long(65*35), "bundles"},
		{"64 bundles in few bytes", "07 01 40" + long(64*35-1), "bundles"},
		{"129 players", "10 8101" + long(400), "players"},
		{"16385 held inputs", "0c 01 00 818001" + long(20), "last inputs"},
		{"a million held inputs in few bytes", "0c 01 00 808001" + long(20), "last inputs"},
		{"a held join", "0c 01 00 01 02 01 01" + long(12), "last inputs"},
		{"a held event of kind 13", "0c 01 00 01 0d 01 01" + long(12), "event kind"},

		{"65 runs", "03 01 00 00 8402", "runs"},
		{"17 inputs in a run", "03 01 00 00 04 8001" + long(20), "run head"},
		{"inputs after the last tick", "03 01 00 00 04 0b feffffff1f 00", "run first tick"},
		{"a tick below 0", "03 01 00 00 04 03 01 00", "run first tick"},
		{"more equal inputs than there are", "03 01 00 00 04 0f 04", "inputs"},
		{"buttons above 32 bits", "03 01 00 00 04 07 818080808001", "inputs"},
		{"axes changed, but none", "03 01 00 00 04 07 03 00", "input axes"},
		{"an axis of form 7", "03 01 00 00 04 07 03 01 07", "input axis"},
		{"an axis of a float32 and a number", "03 01 00 00 04 07 03 01 0d 00000000", "input axis"},
		{"an axis of too many steps", "03 01 00 00 04 07 03 01 8880808008", "input axis"},
		{"an axis that is NaN in a float32", "03 01 00 00 04 07 03 01 05 0100c07f", "input axis"},
		{"parts of the tick, but of no button", "03 01 00 00 04 07 05 00", "input parts"},
		{"a button down for no part", "03 01 00 00 04 07 05 04 00", "input parts"},
		{"a button down for 64 parts", "03 01 00 00 04 07 05 04 40", "input parts"},
		{"counts that are as expected", "03 01 00 00 04 07 05 02 01 00", "input counts"},
		{"no counts", "03 01 00 00 04 07 05 02 00", "input counts"},
		{"counts with more than the padding", "03 01 00 00 04 07 05 02 01 11", "input counts"},
		{"a moment that is the one before", "03 01 00 00 04 07 05 01 00", "input seen"},
		{"all objects at no moment", "03 01 00 00 04 07 05 01 02", "input seen"},
		{"a moment to come", "03 01 00 00 04 07 05 01 03", "input seen"},
		{"a moment too long ago", "03 01 00 00 04 07 05 01 808010", "input seen"},
		{"row 0", "03 01 00 00 02 00", "row"},
		{"a row of 513 words", "16 01 01" + long(8) + "00 01 8104 00", "words"},
		{"a row of class 65536", "16 01 01" + long(8) + "808004 01 00 00", "class"},
		{"a row of fewer bits than are said to be there", "16 01 01" + long(8) + "00 01 01 02 01", "size"},
		{"a row with bits that end too late", "16 01 01" + long(8) + "00 01 01 08 0102030405060708", "bits"},
		{"a mask byte that says nothing", "03 01 01 01 ff 00", "packet mask"},
		{"a claim for the second run of one", "03 01 00 00 05 07 00 02", "claim object"},
		{"a claim at NaN", "03 01 00 00 05 07 00 01 00 00 0000c07f" + long(20), "claim x"},
		{"a claim at infinity", "03 01 00 00 05 07 00 01 00 00 00000000 0000807f" + long(16), "claim y"},

		{"no end", "04 01 01 00", "item"},
		{"an item that is none", "04 01 01 00 05 00", "item"},
		{"an event of no kind", "04 01 01 00 10 00 00", "item"},
		{"an input by itself", "04 01 01 00 19 00 00", "item"},
		{"a record before tick 0", "04 01 01 00 82 00 00", "record tick"},
		{"an input record with a flag that is none", "04 01 64 00 c8 13 01 00 00", "record flags"},
		{"an input record with a sight of nothing", "04 01 64 00 c8 0b 01 00 00 00", "sight poses"},
		{"an input record with a sight of 9 objects", "04 01 64 00 c8 0b 01 00 09" + long(200), "sight poses"},
		{"a sight cut off", "04 01 64 00 c8 0b 01 00 03 00" + long(9), "sight poses"},
		{"a sight of an object without a name", "04 01 64 00 c8 0b 01 00 01 01 00 00 00 00", "sight object"},
		{"a sight of an object twice", "04 01 64 00 c8 0b 01 00 02 00 0100000000000080 00 00 00 01 00 00 00 00", "sight"},
		{"a sight of an object beyond the world", "04 01 64 00 c8 0b 01 00 01 00 0100000000000080 feffffff0f 00 00 00", "sight"},
		{"a sight of an input that is not there", "03 01 00 00 8408 18" + long(8) + "01 02 06 01 00 04 01 00 0100000000000080 00 00 00", "sight input"},
		{"no sights, but the head says so", "03 01 00 00 8408 18" + long(8) + "01 02 06 00 00 00 00 00 00 00 00", "sights"},
		{"a record after the last tick", "04 01 ffffffff0f 00 d2 00 00", "record tick"},
		{"a far record before tick 0", "04 01 01 00 ff 03 00 00", "record tick"},
		{"a record's seq below 0", "04 01 01 00 02 01 00", "record seq"},
		{"a record after the last seq", "04 01 01 00 02 feffffff1f 120001 120001 00", "record seq"},
		{"a mask of three bytes", "04 01 01 01 04 00 00", "input mask"},
		{"inputs of a tick below 1", "04 01 01 02 00 00", "newest inputs"},
		{"a class of 65 bytes", "04 01 01 00 15 00 01 41" + long(65+49) + "00", "event class"},
		{"a place that is not finite", "04 01 01 00 15 00 01 00 000000000000f07f" + long(41) + "0000", "place x"},
		{"more fields than bytes", "04 01 01 00 16 00 01" + long(8) + "03 0168000200", "event values"},
		{"301 fields", "04 01 01 00 16 00 01" + long(8) + "ad02" + long(900), "event values"},
		{"a field's name of 129 bytes", "04 01 01 00 16 00 01" + long(8) + "01 8101" + long(140), "value name"},
		{"a value of a kind that is none", "04 01 01 00 18 00 01 00 01 0500 00", "value kind"},
		{"a boolean of 2", "04 01 01 00 18 00 01 00 01 0102 00", "value boolean"},
		{"a text of 513 bytes", "04 01 01 00 18 00 01 00 01 038104" + long(520), "value text"},
		{"a text that is cut off", "04 01 01 00 18 00 01 00 01 0305 6162", "value text"},
		{"a list of 2^32 items", "04 01 01 00 18 00 01 00 01 04 8080808010 00", "value length"},
		{"a function of 65 bytes", "04 01 01 00 18 00 01 41" + long(65) + "00", "event function"},
		{"bytes after the end", "04 01 01 00 00 00", "end"},
		{"a wish that is none", "0b 04", "bits"},
		{"a snapshot on itself", "13 05 00 01 01", "base"},
		{"a snapshot on one before the first", "13 05 06 01 01", "base"},
		{"a snapshot of a tick that there is not", "13 29 01 a0edffff1f", "tick"},
		{"a snapshot whose cues are settled before the first tick", "13 05 05 01 02 02 00 00", "unsettled"},
		{"a snapshot that lacks what was spawned in the last 0 ticks", "13 05 05 01 03 00 00 00 00", "lacks"},
		{"a snapshot that lacks what was spawned before the first tick", "13 05 05 01 03 02 00 00 00", "lacks"},
		{"fewer bits than are said to be there", "13 05 05 01 02 00 00 02 01", "size"},
		{"bits that end too late", "13 05 05 01 02 00 00 08 0102030405060708", "bits"},
		{"a move to where is no number", "15 01" + long(8) + "02 00 0000c07f" + long(20) + "00", "x"},
		{"a move at infinite speed", "15 01" + long(8) + "02 00" + long(12) + "0000807f" + long(8) + "00", "vx"},
		{"17 moves of an object", "15 01" + long(8) + "02 10" + long(17*24) + "00", "more poses"},
		{"moves after the last tick", "15 01" + long(8) + "feffffff1f 01" + long(48) + "00", "first tick"},
		{"65 objects moved", "15 41" + long(100), "poses"},
		{"65 frames for an object", "15 00 01" + long(8) + "01 01 40" + long(200), "more frames"},
		{"frames after the last number", "15 00 01" + long(8) + "01 ffffffff0f 00 02 00", "first frame"},
		{"a frame of 8 s", "15 00 01" + long(8) + "01 01 00 808008 00", "frame length"},
		{"a record of a frame of 8 s", "04 01 01 00 1b 00 00 01 01 01 808008 00", "frame length"},
		{"a record of a move to where is no number", "04 01 01 00 1a 00 00 01 0000c07f" + long(20) + "00", "x"},
		{"a bit of Problems that there is not", "1c 02 00 00", "bits"},
		{"nine reasons", "1c 00 09" + long(20) + "00", "refused"},
		{"a datagram too large", "04 01 01 00" + long(MaxDatagram), "size"},
	}
	for _, c := range cases {
		b, err := hex.DecodeString(strings.ReplaceAll(c.hex, " ", ""))
		if err != nil {
			t.Fatal(c.why, err)
		}
		_, err = codecs()[b[0]-1].parse(b)
		want := ": " + c.field + " before byte "
		if !errors.Is(err, ErrMalformed) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, should name %q", c.why, err, c.field)
		}
	}
}

// A message that is out of bounds, or has an unknown kind of event, is written without a
// panic, and the parser refuses it.
func TestOutOfBounds(t *testing.T) {
	frames := []InputPacket{
		{Runs: make([]InputRun, MaxRuns+1)},
		{Runs: []InputRun{{}}},
		{Runs: []InputRun{{Inputs: make([]world.Input, MaxInputs+1)}}},
		{Claim: &Claim{X: float32(math.NaN())}},
	}
	for i, m := range frames {
		if err := ParseInputPacket(AppendInputPacket(nil, &m), &InputPacket{}); !errors.Is(err, ErrMalformed) {
			t.Errorf("input packet %d: %v", i, err)
		}
	}
	for _, rec := range []Record{
		{Event: world.Event{Kind: 0}},
		{Event: world.Event{Kind: world.SuspendEvent + 1}},
		{Event: world.Event{Kind: world.OwnerPoseEvent, Place: world.Placement{Pose: physics.Pose{X: math.NaN()}}}},
		{Event: world.Event{Kind: 255}},
		{Event: world.Event{Kind: itemInput - itemEvent + 7, Tick: 100}}, // its item would be an input's
		{Event: world.Event{Kind: world.SpawnEvent, Class: strings.Repeat("c", MaxClass+1)}},
		{Event: world.Event{Kind: world.SpawnEvent, Place: world.Placement{Velocity: physics.Velocity{VX: math.Inf(-1)}}}},
	} {
		b := AppendHostPacket(nil, &HostPacket{Tick: 100, Records: []Record{rec}})
		if err := ParseHostPacket(b, &HostPacket{}); !errors.Is(err, ErrMalformed) {
			t.Errorf("record %+v: %v", rec, err)
		}
	}
}

// Lists of the maximum length are accepted; longer ones are refused.
func TestListBounds(t *testing.T) {
	for over, refused := range []bool{false, true} {
		held := make([]world.Event, MaxLastInputs+over)
		for i := range held {
			held[i].Kind = world.InputEvent
		}
		_, err := ParseKeyframe(AppendKeyframe(nil, &Keyframe{LastInputs: held}))
		if errors.Is(err, ErrMalformed) != refused {
			t.Errorf("%d held inputs: %v", len(held), err)
		}
		_, err = ParseWelcome(AppendWelcome(nil, &Welcome{Bundles: make([]Announce, MaxAnnounces+over)}))
		if errors.Is(err, ErrMalformed) != refused {
			t.Errorf("%d bundles: %v", MaxAnnounces+over, err)
		}
		_, err = ParseRoster(AppendRoster(nil, &Roster{Players: make([]RosterEntry, MaxRoster+over)}))
		if errors.Is(err, ErrMalformed) != refused {
			t.Errorf("%d players: %v", MaxRoster+over, err)
		}
	}
}

// A few bytes that announce a great length cause no great allocation.
func TestNoAllocationBeforeCheck(t *testing.T) {
	for _, s := range []string{
		"\x0c\x01\x80\x80\x01aaaaaaaaaaaa",                        // 16384 held inputs
		"\x0a" + strings.Repeat("a", 64) + "\xff\xff\xff\xff\x07", // a bundle of 2 GB
		"\x10\x80\x01aaa", // 128 players
		"\x07\x01\x40aaa", // 64 bundles
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := codecs()[s[0]-1].parse([]byte(s)); err == nil {
			t.Errorf("%x is accepted", s)
		}
		runtime.ReadMemStats(&after)
		if got := after.TotalAlloc - before.TotalAlloc; got > 64<<10 {
			t.Errorf("%x makes %d bytes", s, got)
		}
	}
}

// InputPacketSeq reads the Seq without the rest, and refuses other messages.
func TestInputPacketSeq(t *testing.T) {
	if seq, err := InputPacketSeq([]byte{byte(KindInputPacket), 0xac, 2, 0xff}); seq != 300 || err != nil {
		t.Errorf("seq %d, %v", seq, err)
	}
	for _, b := range [][]byte{nil, {byte(KindInputPacket)}, {byte(KindInputPacket), 0x80}, {byte(KindHostPacket), 1}, append([]byte{byte(KindInputPacket), 1}, make([]byte, MaxDatagram)...)} {
		if _, err := InputPacketSeq(b); !errors.Is(err, ErrMalformed) {
			t.Errorf("%d bytes: %v", len(b), err)
		}
	}
}

// Only the version is read of a Hello of another version.
func TestOtherVersion(t *testing.T) {
	m, err := ParseHello([]byte{byte(KindHello), 2, 1, 0xff, 0xff})
	if err != nil || m.Version != 0x102 || m.Name != "" || m.Token != nil {
		t.Errorf("%+v, %v", m, err)
	}
}

// Byte slices of a message point into the bytes that were parsed. Appending to them does not
// overwrite the bytes after them.
func TestAliases(t *testing.T) {
	b := AppendHello(nil, &Hello{Version: Version, Name: "n", Token: []byte("token")})
	m, err := ParseHello(b)
	if err != nil {
		t.Fatal(err)
	}
	if b[len(b)-len(m.Ticket)-2] = 'X'; string(m.Token) != "tokeX" || cap(m.Token) != len(m.Token) {
		t.Errorf("token %q of capacity %d", m.Token, cap(m.Token))
	}
}
