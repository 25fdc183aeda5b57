package wire

import (
	"math"
	"reflect"
	"time"

	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
	"pgregory.net/rapid"
)

// codec is the pair of functions of a message without its type, so that one test
// covers all messages.
type codec struct {
	kind    Kind
	samples []any // of which the bytes are written down in testdata and PROTOCOL.md
	gen     func(t *rapid.T) any
	append  func(b []byte, m any) []byte
	parse   func(b []byte) (any, error)
}

func codecOf[T any](kind Kind, app func([]byte, *T) []byte, parse func([]byte) (T, error), gen func(*rapid.T) T, samples ...T) codec {
	c := codec{kind: kind}
	for _, s := range samples {
		c.samples = append(c.samples, s)
	}
	c.gen = func(t *rapid.T) any { return gen(t) }
	c.append = func(b []byte, m any) []byte {
		v := m.(T)
		return app(b, &v)
	}
	c.parse = func(b []byte) (any, error) {
		m, err := parse(b)
		return m, err
	}
	return c
}

// into makes a parser that returns its result from one that fills a struct. The struct has
// been used before, so that a test would see values that were left in it.
func into[T any](parse func([]byte, *T) error, used func() []byte) func([]byte) (T, error) {
	return func(b []byte) (T, error) {
		var m T
		if err := parse(used(), &m); err != nil {
			panic(err)
		}
		err := parse(b, &m)
		return m, err
	}
}

func codecs() []codec {
	hash := [32]byte{0: 0xaa, 31: 0xbb}
	announce := Announce{Number: 2, Tick: 1500, Hash: hash, Bytes: 70000}
	parseInputPacket := into(ParseInputPacket, func() []byte { return AppendInputPacket(nil, new(sampleInputPacket())) })
	parseHostPacket := into(ParseHostPacket, func() []byte { return AppendHostPacket(nil, new(sampleHostPacket())) })
	return []codec{
		codecOf(KindPing, AppendPing, ParsePing, genPing, Ping{Sent: time.Second}),
		codecOf(KindPong, AppendPong, ParsePong, genPong, Pong{Sent: time.Second, Host: 2 * time.Second}),
		codecOf(KindInputPacket, AppendInputPacket, parseInputPacket, genInputPacket, sampleInputPacket(), InputPacket{Seq: 1, Row: 300, Cues: Ack{Newest: 40, Mask: 0xffffffef}}, samplePressFrame(), sampleSeenFrame()),
		codecOf(KindHostPacket, AppendHostPacket, parseHostPacket, genHostPacket, sampleHostPacket(), sampleEventFrame(), HostPacket{Seq: 1, Tick: 1}, samplePatchFrame()),
		codecOf(KindCorrection, AppendCorrection, ParseCorrection, genCorrection, Correction{Tick: 1200, Object: 0x8123456789abcdef, Mismatch: MismatchPosition | MismatchVelocity, Cause: RewindCause{Player: 3, Tick: 1190, Late: 5}, State: []byte("state")}),
		codecOf(KindHello, AppendHello, ParseHello, genHello, Hello{Version: Version, Name: "Zoë", Token: []byte("key"), Ticket: Ticket{1, 2, 15: 3}},
			Hello{Version: Version, AtOnce: true, Snapshots: true}),
		codecOf(KindWelcome, AppendWelcome, ParseWelcome, genWelcome, Welcome{Player: 7, Ticket: Ticket{4, 15: 5}, Bundles: []Announce{announce}},
			Welcome{Player: 7, Bundles: []Announce{announce}, Follow: true}),
		codecOf(KindRefuse, AppendRefuse, ParseRefuse, genRefuse, Refuse{Reason: "the room is full"}),
		codecOf(KindBundleWant, AppendBundleWant, ParseBundleWant, genBundleWant, BundleWant{Hash: hash}, BundleWant{Hash: hash, Base: [32]byte{0xcc}}),
		codecOf(KindBundle, AppendBundle, ParseBundle, genBundle, Bundle{Hash: hash, Data: []byte("bundle")}, Bundle{Hash: hash, Base: [32]byte{0xcc}, Data: []byte("bundle")}),
		codecOf(KindReady, AppendReady, ParseReady, func(t *rapid.T) Ready {
			return Ready{Snapshots: draw(t, rapid.Bool()), Onlooker: draw(t, rapid.Bool()), LastInputSeq: draw(t, rapid.Uint32())}
		}, Ready{}, Ready{Snapshots: true, Onlooker: true, LastInputSeq: 9}),
		codecOf(KindKeyframe, AppendKeyframe, ParseKeyframe, genKeyframe, sampleKeyframe()),
		codecOf(KindAnnounce, AppendAnnounce, ParseAnnounce, genAnnounce, announce),
		codecOf(KindNotice, AppendNotice, ParseNotice, genNotice, Notice{Kind: NoticeDropped, Tick: 1100, Count: 3, Reason: "450 ms late"}),
		codecOf(KindChat, AppendChat, ParseChat, genChat, Chat{Player: 7, Text: "hi"}),
		codecOf(KindRoster, AppendRoster, ParseRoster, genRoster, Roster{Players: []RosterEntry{{1, "Ada", 0}, {300, "", 1000}}}),
		codecOf(KindStateWant, AppendStateWant, ParseStateWant, genStateWant, StateWant{Tick: 1100, Hash: 0x0123456789abcdef}),
		codecOf(KindStateReply, AppendStateReply, ParseStateReply, genStateReply, StateReply{Tick: 1100, State: []byte("state")}, StateReply{Tick: 1100}),
		codecOf(KindSnapshot, appendSampleSnapshot, parseSampleSnapshot, genSnapshot, sampleSnapshot(), Snapshot{Seq: 1, Bundle: 1, Tick: 60}, sampleRowSnapshot()),
		codecOf(KindCues, AppendCues, ParseCues, genCues, sampleCues(), Cues{}),
		codecOf(KindMotion, AppendMotion, ParseMotion, genMotion, sampleMotion(), Motion{}),
		codecOf(KindRow, AppendRow, ParseRow, genRowMessage, sampleRow()),
		codecOf(KindEnd, AppendEnd, ParseEnd, genEnd, End{Cause: EndOver, Reason: "good night"}, End{Cause: EndFailed}, End{Cause: EndRestarts, Reason: "tick_rate"},
			End{Cause: EndKicked, Reason: "rude"}),
		codecOf(KindAssets, AppendAssets, ParseAssets, genAssets, Assets{Hash: hash, Bytes: 300}),
		codecOf(KindAssetWant, AppendAssetWant, ParseAssetWant, genAssetWant, AssetWant{Hash: hash, Offset: 8192}),
		codecOf(KindAssetPart, AppendAssetPart, ParseAssetPart, genAssetPart, AssetPart{Hash: hash, Offset: 8192, Data: []byte("asset")}, AssetPart{Hash: hash}),
		codecOf(KindEnter, AppendEnter, ParseEnter, func(*rapid.T) Enter { return Enter{} }, Enter{}),
		codecOf(KindProblems, AppendProblems, ParseProblems, genProblems, Problems{Refused: []string{"ship.lua:3: syntax error", "rock.lua:1: no"}},
			Problems{Refused: []string{"ship.lua is empty"}, Held: true, Warned: []string{"a.lua:1:5: b is not defined"}},
			Problems{Failed: []Failure{{Tick: 1200, Until: 1260, Object: ship, Others: 4, Class: "Ship", Hook: "tick", Place: "ship.lua:20", Message: "no field foo"}, {Tick: 3, Hook: "filterChat", Message: "?"}}}),
	}
}

const ship world.ObjectID = 0x8123456789abcdef

func sampleCues() Cues {
	spark := world.Cue{CueKey: world.CueKey{Tick: 1200, Object: ship, Name: "spark", Count: 1}, To: world.CueOthers, When: world.CueConfirmed, Owner: 7, Lasts: 90,
		Fields: []world.CueField{{Name: "loud", Kind: world.Bool, Number: 1}, {Name: "what", Kind: world.String, Text: "rock"}, {Name: "x", Number: -1.5}}}
	like := world.Cue{CueKey: world.CueKey{Tick: 1201}, Fields: []world.CueField{{Kind: world.Bool}, {Kind: world.String, Text: "tree"}, {Number: 0.0625}}}
	return Cues{Seq: 300, Updates: []CueUpdate{{Number: 700, Later: true, Cue: spark}, {Number: 701, Like: 690, LikeObject: true, Found: true, Cue: like},
		{Number: 704, Cancelled: true}, {Number: 705, Cue: world.Cue{CueKey: world.CueKey{Tick: 1203, Object: 1, Name: "hello"}}}}}
}

// sampleInputPacket returns the worked example of PROTOCOL.md.
func sampleInputPacket() InputPacket {
	left := world.Input{Buttons: 1}
	aim := world.Input{Buttons: 5, Axes: [world.MaxAxes]float64{steps(785, 0.001), -1}}
	return InputPacket{
		Seq: 300,
		Ack: Ack{Newest: 295, Mask: ^uint64(1 << 2)},
		Runs: []InputRun{{
			Object: ship, Bundle: 1, First: 1200,
			Inputs: []world.Input{left, left, left, aim},
		}},
		Claim: &Claim{Object: ship, Tick: 1201, KnownSeq: 9000, X: 1, Y: -2, Angle: 0.5, VX: 3},
	}
}

// samplePressFrame has a button that goes down within a tick, and another one that goes up
// within the next tick.
func samplePressFrame() InputPacket {
	down, up := world.Input{}, world.Input{}
	down.Press(1, 0.25)
	up.Press(31, 0.5)
	up.Buttons |= 1 << 1
	return InputPacket{Seq: 301, Snapshot: 40, Runs: []InputRun{{Object: ship, Bundle: 1, First: 1200,
		Inputs: []world.Input{down, {Buttons: 1 << 1}, up, up, {Buttons: 1<<31 | 1<<1}}}}}
}

// sampleSeenFrame returns a packet of a client whose screen shows the past.
func sampleSeenFrame() InputPacket {
	at := func(back uint16, buttons uint32) world.Input {
		return world.Input{Buttons: buttons, ViewTime: world.ViewTime{Back: back, All: true}}
	}
	press := at(900, 2)
	press.Press(1, 0.25)
	return InputPacket{Seq: 302, Snapshot: 41, Runs: []InputRun{{Object: ship, Bundle: 1, First: 1200,
		Inputs: []world.Input{at(905, 0), at(905, 0), at(897, 1), press, {Buttons: 2}}}}}
}

// sampleHostPacket returns the worked example of PROTOCOL.md.
func sampleHostPacket() HostPacket {
	return HostPacket{
		Seq:      295,
		Tick:     1203,
		Inputs:   InputAck{Newest: 1202, Mask: 0xfffe, Early: -7},
		Channels: []Channel{{Number: 2, Object: ship}},
		Records: []Record{
			inputRecord(9000, 1, 1203, world.Input{Buttons: 1}),
			inputRecord(9001, 2, 1201, world.Input{Buttons: 2}),
			inputRecord(9002, 2, 1202, world.Input{Buttons: 2, Axes: [world.MaxAxes]float64{steps(785, 0.001)}}),
			{Seq: 9003, Committed: true, Hash: 0x0123456789abcdef, Event: world.Event{Tick: 1179}},
			inputRecord(8990, 9, 1190, world.Input{Buttons: 4}),
		},
	}
}

// samplePatchFrame has the authoritative patch of a tick and its commit mark.
func samplePatchFrame() HostPacket {
	return HostPacket{Seq: 296, Tick: 1204, Records: []Record{
		{Seq: 9005, Patch: []byte{1, 2, 3, 4, 5}, Event: world.Event{Tick: 1180}},
		{Seq: 9006, Committed: true, Hash: 7, Event: world.Event{Tick: 1180}},
	}}
}

// inputRecord returns a record of a player whose number is that of the channel.
func inputRecord(seq uint32, channel uint16, tick world.Tick, in world.Input) Record {
	return Record{Seq: seq, Channel: channel, Event: world.Event{
		Tick: tick, Kind: world.InputEvent, Player: world.PlayerID(channel), Bundle: 1, Input: in,
	}}
}

// sampleEventFrame has one event of each kind, and every encoding of an axis.
func sampleEventFrame() HostPacket {
	axes := [world.MaxAxes]float64{3, steps(7, 0.1), steps(7, 0.01), -0.375, steps(-3142, 0.001), 1e30, math.Pi, math.Copysign(0, -1)}
	events := []world.Event{
		{Tick: 100, Kind: world.BundleEvent, Bundle: 2},
		{Tick: 95, Kind: world.JoinEvent, Player: 1},
		{Tick: 95, Kind: world.LeaveEvent, Player: 300},
		{Tick: 96, Kind: world.OwnershipEvent, Number: 6, Player: 1, Object: ship},
		{Tick: 97, Kind: world.SpawnEvent, Number: 7, Class: "Ship", Place: world.Placement{Pose: physics.Pose{X: 1, Y: 2, Angle: 3}, Velocity: physics.Velocity{VX: 4, VY: 5, W: 6}, Owner: 1},
			Values: []world.NamedValue{{Name: "hp", Value: world.NumberValue(2.5)}, {Name: "#hits", Value: world.Value{Kind: world.Count, Word: 1}}, {Name: "hits[1]", Value: world.RefValue(ship)}}},
		{Tick: 400, Kind: world.InputEvent, Player: 5, Bundle: 2, Input: world.Input{Axes: axes}},
		{Tick: 99, Kind: world.OwnerPoseEvent, Player: 5, Place: world.Placement{Pose: physics.Pose{X: 1, Y: -2.5, Angle: 0.25}, Velocity: physics.Velocity{VX: 3}}},
		{Tick: 99, Kind: world.OwnerPoseEvent, Player: 65535, Number: 105, Place: world.Placement{Pose: physics.Pose{X: 1}}},
		{Tick: 101, Kind: world.FrameEvent, Player: 5, Bundle: 2, Number: 900, DT: 57, Input: world.Input{Buttons: 1}},
		{Tick: 97, Kind: world.SetEvent, Number: 8, Object: ship, Values: []world.NamedValue{{Name: "name", Value: world.TextValue("a\x00b")}}},
		{Tick: 97, Kind: world.RemoveEvent, Number: 9, Object: ship},
		{Tick: 98, Kind: world.CallEvent, Number: 10, Name: "start", Values: []world.NamedValue{{Value: world.BoolValue(true)}, {Value: world.NumberValue(-1)}}},
		{Tick: 98, Kind: world.SuspendEvent, Number: 11, Class: "Bomb", Player: 3, Hooks: world.InputHooks},
	}
	f := HostPacket{Seq: 1, Tick: 100}
	for i, ev := range events {
		f.Records = append(f.Records, Record{Seq: uint32(i), Event: ev})
	}
	f.Records[5].Channel, f.Records[6].Channel, f.Records[7].Channel = 200, 201, 202
	return f
}

// sampleMotion returns the worked example of PROTOCOL.md.
func sampleMotion() Motion {
	at := world.Placement{Pose: physics.Pose{X: 1, Y: -2, Angle: 0.5}, Velocity: physics.Velocity{VX: 3}}
	return Motion{Poses: []PoseRun{{Object: ship, First: 1204, Poses: []world.Placement{at}}},
		Frames: []FrameRun{{Object: ship + 1, Bundle: 1, First: 9600, Frames: []IndependentFrame{{DT: 57, Input: world.Input{Buttons: 1}}, {DT: 56, Input: world.Input{Buttons: 1}}}}}}
}

func sampleRow() Row {
	return Row{Number: 7, Bundle: 1, Object: ship, Class: 1, Tick: 1198, Words: []int64{-66, 8, 0x6c6f676f6c, 0, math.MinInt64, math.MaxInt64}}
}

func sampleKeyframe() Keyframe {
	held := world.Event{Tick: 1190, Kind: world.InputEvent, Player: 7, Object: ship, Bundle: 1, Input: world.Input{Buttons: 3}}
	return Keyframe{FirstSeq: 9000, Snapshot: 17, LastInputs: []world.Event{held}, State: []byte("state"), PoseHistory: []byte("trail")}
}

// sameBits compares the exported fields of two messages: floats by their bits, so that NaN
// equals itself, and an empty slice equals nil.
func sameBits(a, b reflect.Value) bool {
	switch a.Kind() {
	case reflect.Float32, reflect.Float64:
		return math.Float64bits(a.Float()) == math.Float64bits(b.Float())
	case reflect.Pointer:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() == b.IsNil()
		}
		return sameBits(a.Elem(), b.Elem())
	case reflect.Slice, reflect.Array:
		same := a.Len() == b.Len()
		for i := 0; same && i < a.Len(); i++ {
			same = sameBits(a.Index(i), b.Index(i))
		}
		return same
	case reflect.Struct:
		for i := range a.NumField() {
			if a.Type().Field(i).IsExported() && !sameBits(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	}
	return a.Equal(b)
}

func same(a, b any) bool { return sameBits(reflect.ValueOf(a), reflect.ValueOf(b)) }
