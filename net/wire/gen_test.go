package wire

import (
	"math"
	"time"

	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
	"pgregory.net/rapid"
)

// The generators draw messages within bounds.

func draw[T any](t *rapid.T, g *rapid.Generator[T]) T { return g.Draw(t, "") }

// number draws small and large numbers.
func number(t *rapid.T) uint32 {
	return draw(t, rapid.Uint32()) >> draw(t, rapid.IntRange(0, 31))
}

func tick(t *rapid.T) world.Tick       { return world.Tick(number(t)) }
func player(t *rapid.T) world.PlayerID { return world.PlayerID(draw(t, rapid.Uint16())) }

func object(t *rapid.T) world.ObjectID {
	return draw(t, rapid.SampledFrom([]world.ObjectID{0, world.MatchID, ship, ship + 1, 1<<64 - 1}))
}

func text(t *rapid.T, most int) string { return clean(draw(t, rapid.StringN(0, most, most)), most) }

func blob(t *rapid.T, most int) []byte { return draw(t, rapid.SliceOfN(rapid.Byte(), 0, most)) }

func hash(t *rapid.T) (h [32]byte) {
	copy(h[:], draw(t, rapid.SliceOfN(rapid.Byte(), 32, 32)))
	return h
}

// axis draws multiples of steps of all sizes, and arbitrary bits.
func axis(t *rapid.T) float64 {
	step := draw(t, rapid.SampledFrom([]float64{0, 1, 0.1, 0.01, 0.001, 1.0 / 256, 0.05, 1.0 / 127}))
	if step == 0 {
		return math.Float64frombits(draw(t, rapid.Uint64()))
	}
	return float64(draw(t, rapid.Int32Range(-1<<28, 1<<28))>>draw(t, rapid.IntRange(0, 28))) * step
}

func input(t *rapid.T) world.Input {
	in := world.Input{Buttons: number(t)}
	if draw(t, rapid.IntRange(0, 4)) == 0 {
		in.Held[draw(t, rapid.IntRange(0, world.MaxButtons-1))] = draw(t, rapid.Uint8Range(1, world.PressParts-1))
	}
	if draw(t, rapid.IntRange(0, 3)) == 0 {
		in.ViewTime = world.ViewTime{Back: draw(t, rapid.Uint16Range(1, math.MaxUint16)), All: draw(t, rapid.Bool())}
	}
	if draw(t, rapid.IntRange(0, 2)) == 0 {
		in.Edges = world.ButtonCounts{draw(t, rapid.Uint64()), draw(t, rapid.Uint64())}
	}
	for i := range in.Axes {
		if draw(t, rapid.IntRange(0, 3)) == 0 {
			in.Axes[i] = axis(t)
		}
	}
	return in
}

func finite(t *rapid.T) float64 { return draw(t, rapid.Float64Range(-1e300, 1e300)) }

func event(t *rapid.T, kind world.EventKind, tick world.Tick) world.Event {
	ev := world.Event{Tick: tick, Kind: kind}
	switch kind {
	case world.BundleEvent:
		ev.Bundle = number(t)
	case world.JoinEvent, world.LeaveEvent:
		ev.Player = player(t)
	case world.OwnershipEvent:
		ev.Number, ev.Player, ev.Object = number(t), player(t), object(t)
	case world.SetEvent:
		ev.Number, ev.Object, ev.Values = number(t), object(t), values(t, true)
	case world.RemoveEvent:
		ev.Number, ev.Object = number(t), object(t)
	case world.CallEvent:
		ev.Number, ev.Name, ev.Values = number(t), text(t, world.MaxFunctionName), values(t, false)
	case world.SuspendEvent:
		ev.Number, ev.Class, ev.Player, ev.Hooks = number(t), text(t, MaxClass), player(t), draw(t, rapid.SampledFrom([]world.HookGroup{world.OtherHooks, world.InputHooks, world.AllHooks}))
	case world.SpawnEvent:
		ev.Number, ev.Class, ev.Values = number(t), text(t, MaxClass), values(t, true)
		ev.Place = world.Placement{Pose: physics.Pose{X: finite(t), Y: finite(t), Angle: finite(t)}, Velocity: physics.Velocity{VX: finite(t), VY: finite(t), W: finite(t)}, Owner: player(t)}
	case world.InputEvent:
		ev.Player, ev.Object, ev.Bundle, ev.Input, ev.Sight = player(t), object(t), number(t), input(t), sight(t)
	case world.OwnerPoseEvent:
		ev.Player, ev.Object, ev.Place = player(t), object(t), pose(t)
		if draw(t, rapid.Bool()) {
			ev.Number = number(t)
		}
	case world.FrameEvent:
		ev.Player, ev.Object, ev.Bundle, ev.Input = player(t), object(t), number(t), input(t)
		ev.Number, ev.DT, ev.Sight = number(t), draw(t, rapid.Uint16()), sight(t)
	}
	return ev
}

// values draws values of all kinds.
func values(t *rapid.T, named bool) (out []world.NamedValue) {
	for range draw(t, rapid.IntRange(0, 5)) {
		var v world.NamedValue
		switch draw(t, rapid.IntRange(0, 4)) {
		case 0:
			v.Value = world.NumberValue(axis(t))
		case 1:
			v.Value = world.BoolValue(draw(t, rapid.Bool()))
		case 2:
			v.Value = world.RefValue(object(t))
		case 3:
			v.Value = world.TextValue(string(blob(t, 20)))
		case 4:
			v.Value = world.Value{Kind: world.Count, Word: uint64(number(t))}
		}
		if named {
			v.Name = text(t, 20)
		}
		out = append(out, v)
	}
	return out
}

func pose(t *rapid.T) world.Placement {
	f := func() float64 { return float64(draw(t, rapid.Float32Range(-1e30, 1e30))) }
	return world.Placement{Pose: physics.Pose{X: f(), Y: f(), Angle: f()}, Velocity: physics.Velocity{VX: f(), VY: f(), W: f()}}
}

// sight draws a sight of few objects, so that successive ones have some in common; mostly none.
func sight(t *rapid.T) (out world.Sight) {
	if draw(t, rapid.IntRange(0, 3)) > 0 {
		return nil
	}
	const most = physics.MaxPosition * 256
	for id := range world.ObjectID(draw(t, rapid.IntRange(1, 12))) {
		if draw(t, rapid.Bool()) && len(out) < world.MaxSight {
			x, y := draw(t, rapid.Int32Range(-most, most)), draw(t, rapid.Int32Range(-9999, 9999))
			out = append(out, world.PastPose{ID: 1<<63 + id, X: x * world.SightStep, Y: y * world.SightStep, Angle: draw(t, rapid.Int32Range(0, sightTurns-1)) * world.SightTurn})
		}
	}
	return out
}

func genMotion(t *rapid.T) Motion {
	var m Motion
	for range draw(t, rapid.IntRange(0, 2)) {
		run := PoseRun{Object: object(t), First: tick(t) >> 1}
		for range draw(t, rapid.IntRange(1, MaxPoses)) {
			run.Poses = append(run.Poses, pose(t))
		}
		m.Poses = append(m.Poses, run)
	}
	for range draw(t, rapid.IntRange(0, 2)) {
		run := FrameRun{Object: object(t), Bundle: number(t), First: number(t) >> 1}
		in := input(t)
		for range draw(t, rapid.IntRange(1, MaxFrames)) {
			run.Frames = append(run.Frames, IndependentFrame{draw(t, rapid.Uint16()), in, sight(t)})
			if len(AppendMotion(nil, &Motion{Frames: append(m.Frames, run)})) > 100 {
				break
			}
		}
		m.Frames = append(m.Frames, run)
	}
	return m
}

func genPing(t *rapid.T) Ping { return Ping{Sent: time.Duration(draw(t, rapid.Int64()))} }

func genPong(t *rapid.T) Pong {
	return Pong{Sent: time.Duration(draw(t, rapid.Int64())), Host: time.Duration(draw(t, rapid.Int64()))}
}

func genInputPacket(t *rapid.T) InputPacket {
	m := InputPacket{Seq: number(t), Snapshot: number(t), Row: number(t)}
	if m.Cues.Newest = number(t); m.Cues.Newest != 0 {
		m.Cues.Mask = uint64(draw(t, rapid.Uint32()))
	}
	if m.Ack.Newest = number(t); m.Ack.Newest != 0 {
		m.Ack.Mask = draw(t, rapid.Uint64()) | ^uint64(0)<<draw(t, rapid.IntRange(0, 64))
	}
	for range draw(t, rapid.IntRange(0, 3)) {
		run := InputRun{Object: object(t), Bundle: number(t) >> 28, First: tick(t) >> 1}
		in := input(t)
		for range draw(t, rapid.IntRange(1, MaxInputs)) {
			run.Inputs = append(run.Inputs, in)
			if draw(t, rapid.Bool()) && len(AppendInputPacket(nil, &m))+30*len(run.Inputs) < MaxDatagram-200 {
				in = input(t)
			}
		}
		m.Runs = append(m.Runs, run)
		if len(AppendInputPacket(nil, &m)) > MaxDatagram-60 {
			m.Runs = m.Runs[:len(m.Runs)-1]
		}
	}
	for i := range m.Runs {
		for j := range m.Runs[i].Inputs {
			s := InputSight{i, j, sight(t)}
			if m.Sights = append(m.Sights, s); len(s.Sight) == 0 || len(AppendInputPacket(nil, &m)) > MaxDatagram-60 {
				m.Sights = m.Sights[:len(m.Sights)-1]
			}
		}
	}
	if draw(t, rapid.Bool()) {
		f := func() float32 { return draw(t, rapid.Float32Range(-1e30, 1e30)) }
		m.Claim = &Claim{Object: object(t), Tick: tick(t), KnownSeq: number(t), X: f(), Y: f(), Angle: f(), VX: f(), VY: f(), AngularVelocity: f()}
	}
	return m
}

func genRowMessage(t *rapid.T) Row {
	return Row{Number: number(t), Bundle: number(t), Object: object(t), Class: draw(t, rapid.Uint16()), Tick: tick(t), Words: draw(t, rapid.SliceOfN(rapid.Int64(), 0, 40))}
}

func genRecord(t *rapid.T, base world.Tick) Record {
	rec := Record{Seq: number(t)}
	at := tick(t)
	if draw(t, rapid.Bool()) {
		at = base + world.Tick(draw(t, rapid.Int32Range(-20, 20)))
	}
	switch kind := draw(t, rapid.IntRange(0, 13)); {
	case kind == 13:
		rec.Patch, rec.Event.Tick = draw(t, rapid.SliceOfN(rapid.Byte(), 1, MaxPatch)), at
	case kind == 0:
		rec.Committed, rec.Hash, rec.Event.Tick = true, draw(t, rapid.Uint64()), at
	case kind == int(world.OwnerPoseEvent), kind == int(world.FrameEvent):
		rec.Event = event(t, world.EventKind(kind), at)
		rec.Event.Object, rec.Channel = 0, draw(t, rapid.Uint16())
	case kind < int(world.InputEvent):
		rec.Event = event(t, world.EventKind(kind), at)
	default:
		rec.Event = event(t, world.InputEvent, at)
		rec.Channel = draw(t, rapid.SampledFrom([]uint16{0, 1, 2, 3, 127, 128, 65535}))
		rec.Event.Object = 0
		rec.Event.Player = draw(t, rapid.SampledFrom([]world.PlayerID{0, 1, 2, 65535}))
		rec.Event.Bundle = draw(t, rapid.Uint32Range(0, 3))
		rec.Event.Sight = sight(t)
	}
	return rec
}

// genHostPacket draws a packet as the writer builds it: until it is full.
func genHostPacket(t *rapid.T) HostPacket {
	m := HostPacket{Seq: number(t), Tick: tick(t)}
	if draw(t, rapid.Bool()) {
		m.Inputs = InputAck{Newest: max(tick(t), 1), Mask: draw(t, rapid.Uint16()), Early: draw(t, rapid.Int32Range(-MaxEarly, MaxEarly))}
	}
	var w HostPacketWriter
	w.Reset(nil, m)
	for range draw(t, rapid.IntRange(0, 3)) {
		if ch := (Channel{Number: draw(t, rapid.Uint16()), Object: object(t)}); w.Define(ch) {
			m.Channels = append(m.Channels, ch)
		}
	}
	for range draw(t, rapid.IntRange(0, 40)) {
		rec := genRecord(t, m.Tick)
		if n := len(m.Records); n > 0 && draw(t, rapid.Bool()) {
			rec.Seq = m.Records[n-1].Seq + 1
		}
		if w.Add(&rec) {
			m.Records = append(m.Records, rec)
		}
	}
	return m
}

func genCorrection(t *rapid.T) Correction {
	m := Correction{Tick: tick(t), Object: object(t), Mismatch: Mismatch(rapid.IntRange(0, int(allMismatches)).Draw(t, "wrong")), State: blob(t, 300)}
	if m.Cause.Player = player(t); m.Cause.Player != 0 {
		m.Cause.Tick, m.Cause.Late = tick(t), draw(t, rapid.Uint32())
	}
	return m
}

func genHello(t *rapid.T) Hello {
	if draw(t, rapid.IntRange(0, 4)) == 0 {
		return Hello{Version: draw(t, rapid.Uint16Range(Version+1, 65535))}
	}
	m := Hello{Version: Version, Name: text(t, MaxName), Token: blob(t, MaxToken), Ticket: ticket(t)}
	if m.AtOnce = draw(t, rapid.Bool()); m.AtOnce {
		m.Snapshots, m.Onlooker = draw(t, rapid.Bool()), draw(t, rapid.Bool())
	}
	return m
}

func genWelcome(t *rapid.T) Welcome {
	m := Welcome{Player: player(t), Ticket: ticket(t), Follow: draw(t, rapid.Bool())}
	for range draw(t, rapid.IntRange(0, 4)) {
		m.Bundles = append(m.Bundles, genAnnounce(t))
	}
	return m
}

func ticket(t *rapid.T) (b Ticket) {
	copy(b[:], blob(t, len(b)))
	return b
}

func genRefuse(t *rapid.T) Refuse { return Refuse{Reason: text(t, MaxReason)} }
func genEnd(t *rapid.T) End {
	return End{Cause: draw(t, rapid.SampledFrom([]EndCause{EndOver, EndFailed, EndRestarts, EndKicked})), Reason: text(t, MaxReason)}
}
func genBundleWant(t *rapid.T) BundleWant { return BundleWant{Hash: hash(t), Base: hash(t)} }
func genBundle(t *rapid.T) Bundle {
	return Bundle{Hash: hash(t), Base: hash(t), Data: blob(t, 300)}
}

func genAssets(t *rapid.T) Assets       { return Assets{Hash: hash(t), Bytes: number(t)} }
func genAssetWant(t *rapid.T) AssetWant { return AssetWant{Hash: hash(t), Offset: number(t)} }
func genAssetPart(t *rapid.T) AssetPart {
	return AssetPart{Hash: hash(t), Offset: number(t), Data: blob(t, 300)}
}

func genKeyframe(t *rapid.T) Keyframe {
	m := Keyframe{FirstSeq: number(t), Snapshot: number(t), State: blob(t, 300), PoseHistory: blob(t, 30)}
	for range draw(t, rapid.IntRange(0, 5)) {
		m.LastInputs = append(m.LastInputs, event(t, world.InputEvent, tick(t)))
	}
	return m
}

func genAnnounce(t *rapid.T) Announce {
	return Announce{Number: number(t), Tick: tick(t), Hash: hash(t), Bytes: number(t)}
}

func genNotice(t *rapid.T) Notice {
	kind := draw(t, rapid.SampledFrom([]NoticeKind{NoticeDropped, NoticeRefused, NoticeLead}))
	return Notice{Kind: kind, Tick: tick(t), Count: number(t), Reason: text(t, MaxReason)}
}

func genChat(t *rapid.T) Chat { return Chat{Player: player(t), Text: text(t, MaxChat)} }

func genRoster(t *rapid.T) Roster {
	var m Roster
	for range draw(t, rapid.IntRange(0, 10)) {
		m.Players = append(m.Players, RosterEntry{Player: player(t), Name: text(t, MaxName), Ping: draw(t, rapid.Uint16())})
	}
	return m
}

func genProblems(t *rapid.T) Problems {
	m := Problems{Held: draw(t, rapid.Bool())}
	for range draw(t, rapid.IntRange(0, MaxRefusals)) {
		m.Refused = append(m.Refused, text(t, MaxProblem))
	}
	for range draw(t, rapid.IntRange(0, MaxRefusals)) {
		m.Warned = append(m.Warned, text(t, MaxProblem))
	}
	for range draw(t, rapid.IntRange(0, MaxFailures)) {
		m.Failed = append(m.Failed, Failure{Tick: tick(t), Until: tick(t), Object: object(t), Others: draw(t, rapid.Uint32Range(0, world.MaxObjects)), Class: text(t, MaxClass), Hook: text(t, MaxClass), Place: text(t, MaxReason), Message: text(t, MaxProblem)})
	}
	return m
}

func genCues(t *rapid.T) Cues {
	m := Cues{Seq: draw(t, rapid.Uint32())}
	last := CueUpdate{Number: draw(t, rapid.Uint32Range(0, 1<<20))}
	for range draw(t, rapid.IntRange(0, 4)) {
		u := CueUpdate{Number: last.Number + draw(t, rapid.Uint32Range(1, 300))}
		if u.Cancelled = draw(t, rapid.IntRange(0, 3)) == 0; !u.Cancelled {
			genCue(t, &u)
		}
		m.Updates, last = append(m.Updates, u), u
	}
	return m
}

func genCue(t *rapid.T, u *CueUpdate) {
	u.Later, u.Found, u.Own = draw(t, rapid.Bool()), draw(t, rapid.Bool()), draw(t, rapid.Bool())
	if draw(t, rapid.Bool()) {
		u.Like, u.LikeObject = draw(t, rapid.Uint32Range(1, u.Number)), draw(t, rapid.Bool())
		if u.Like == u.Number {
			u.Like, u.LikeObject = 0, false
		}
	}
	c := &u.Cue
	c.Tick, c.Count = tick(t), draw(t, rapid.IntRange(0, world.MaxCues))
	if !u.LikeObject {
		c.Object, c.Owner = object(t), player(t)
	}
	if u.Like == 0 {
		c.Name, c.Lasts = text(t, world.MaxCueText), world.Tick(draw(t, rapid.Uint32Range(0, maxLasts)))
		c.To, c.When = world.CueTo(draw(t, rapid.IntRange(0, 2))), world.CueWhen(draw(t, rapid.IntRange(0, 1)))
	}
	for range draw(t, rapid.IntRange(0, 3)) {
		var f world.CueField
		if u.Like == 0 {
			f.Name = text(t, world.MaxCueText)
		}
		switch draw(t, rapid.IntRange(0, 2)) {
		case 0:
			f.Number = roundCueNumber(draw(t, rapid.Float64Range(-1e9, 1e9)))
		case 1:
			f.Kind, f.Number = world.Bool, float64(draw(t, rapid.IntRange(0, 1)))
		default:
			f.Kind, f.Text = world.String, text(t, world.MaxCueText)
		}
		c.Fields = append(c.Fields, f)
	}
}

func genStateWant(t *rapid.T) StateWant {
	return StateWant{Tick: tick(t), Hash: draw(t, rapid.Uint64())}
}

func genStateReply(t *rapid.T) StateReply { return StateReply{Tick: tick(t), State: blob(t, 300)} }
