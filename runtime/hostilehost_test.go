package runtime_test

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/internal/stub"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// byHand is a host for one client. It sends what a test wants.
type byHand struct {
	end    *memlink.End
	client *runtime.Client
	peer   link.Peer
	now    time.Duration
	seq    uint32 // of the last HostPacket
}

func newByHand() *byHand { return byHandTo(false) }

// byHandTo makes a host for a spectator or for a predictor.
func byHandTo(watches bool) *byHand {
	net := memlink.New(1)
	h := &byHand{end: net.Host()}
	kind := runtime.Predictor
	if watches {
		kind = runtime.Spectator
	}
	h.client = runtime.NewClient(runtime.ClientConfig{Link: net.Dial(memlink.Off(), memlink.Off()), Compile: stub.Compile, Controls: wanderers(0),
		Kind: kind, Cues: func(runtime.CueEvent) {}})
	h.run(80 * time.Millisecond)
	return h
}

// run lets time pass; pings are answered, so that the client knows the time.
func (h *byHand) run(d time.Duration) {
	for end := h.now + d; h.now < end; h.now += 4 * time.Millisecond {
		h.end.Poll(h.now, func(ev link.Event) {
			h.peer = ev.Peer
			if ping, err := wire.ParsePing(ev.Data); ev.Kind == link.Datagram && err == nil {
				_ = h.end.SendDatagram(h.now, h.peer, wire.AppendPong(nil, &wire.Pong{Sent: ping.Sent, Host: h.now + 2*time.Second}))
			}
		})
		h.client.Poll(h.now)
		h.client.Update(h.now)
	}
}

func (h *byHand) say(stream link.Stream, b []byte) {
	_ = h.end.SendMessage(h.now, h.peer, stream, b)
	h.run(20 * time.Millisecond)
}

// frame sends records in a HostPacket.
func (h *byHand) frame(records ...wire.Record) {
	h.seq++
	_ = h.end.SendDatagram(h.now, h.peer, wire.AppendHostPacket(nil, &wire.HostPacket{Seq: h.seq, Tick: 100, Records: records}))
	h.run(4 * time.Millisecond)
}

func announcement(number uint32) wire.Announce {
	data := stub.Game().Encode()
	return wire.Announce{Number: number, Hash: bundle.HashOf(data), Bytes: uint32(len(data))}
}

func (h *byHand) announce(number uint32) {
	a := announcement(number)
	h.say(link.Control, wire.AppendAnnounce(nil, &a))
}

func (h *byHand) sendBundle() {
	h.say(link.Bulk, wire.AppendBundle(nil, &wire.Bundle{Data: stub.Game().Encode()}))
}

// letIn welcomes the client and sends it a keyframe.
func (h *byHand) letIn(s *world.State) {
	h.say(link.Control, wire.AppendWelcome(nil, &wire.Welcome{Player: 1, Bundles: []wire.Announce{announcement(1)}}))
	h.sendBundle()
	h.say(link.Bulk, wire.AppendKeyframe(nil, &wire.Keyframe{FirstSeq: 1, State: stateBytes(s)}))
}

// firstTick is the state after tick 1 of the stub game.
// stateBytes is the byte form of a state of the stub.
func stateBytes(s *world.State) []byte {
	script, err := stub.Compile(nil, stub.Game().Setup)
	if err != nil {
		panic(err)
	}
	return world.AppendState(nil, s, script.Schema())
}

func firstTick(t *testing.T) *world.State {
	t.Helper()
	script, err := stub.Compile(nil, stub.Game().Setup)
	if err != nil {
		t.Fatal(err)
	}
	tl := timeline.New(script, timeline.Options{States: 16})
	tl.Step()
	return tl.At(1)
}

// TestRowsOutOfTurn: a row that is not the next one breaks the protocol.
func TestRowsOutOfTurn(t *testing.T) {
	t.Parallel()
	h := newByHand()
	row := func(number uint32) {
		h.say(link.Bulk, wire.AppendRow(nil, &wire.Row{Number: number, Bundle: 1, Object: 1, Tick: 1, Words: make([]int64, wire.MaxRowWords)}))
	}
	for number := range uint32(100) {
		row(number + 1)
	}
	if h.client.Stage() == runtime.StageOver {
		t.Fatalf("100 rows ended the client: %v", h.client.Err())
	}
	row(102)
	if err := h.client.Err(); !errors.Is(err, wire.ErrMalformed) {
		t.Errorf("row 102 after row 100: %v", err)
	}
}

func TestEmptyKeyframe(t *testing.T) {
	t.Parallel()
	h := newByHand()
	h.letIn(&world.State{Tick: 100, Bundle: 1, Rows: world.Rows{Stride: 2}})
	h.frame(wire.Record{Seq: 1, Event: world.Event{Tick: 101, Kind: world.JoinEvent, Player: 3}})
	h.run(time.Second)
	if h.client.Err() == nil {
		t.Errorf("the client plays in a world without a game: %s", h.client.Status())
	}
}

func TestLogThatGoesBackToAnOldBundle(t *testing.T) {
	t.Parallel()
	h := newByHand()
	h.letIn(firstTick(t))
	h.announce(2)
	h.sendBundle()
	h.frame(wire.Record{Seq: 1, Event: world.Event{Tick: 5, Kind: world.BundleEvent, Bundle: 2}},
		wire.Record{Seq: 2, Event: world.Event{Tick: 400, Kind: world.BundleEvent, Bundle: 1}})
	for i := range uint32(600) {
		h.frame(wire.Record{Seq: 3 + i, Committed: true, Event: world.Event{Tick: world.Tick(2 + i)}})
	}
	h.run(2 * time.Second)
	if h.client.Desync() == nil {
		t.Errorf("hashes of nothing were believed: %s, %v", h.client.Status(), h.client.Err())
	}
}

func TestLogOfTicksFarAhead(t *testing.T) {
	t.Parallel()
	h := newByHand()
	h.letIn(firstTick(t))
	for i := range uint32(200) {
		h.frame(wire.Record{Seq: 2*i + 1, Committed: true, Event: world.Event{Tick: math.MaxUint32}},
			wire.Record{Seq: 2*i + 2, Event: world.Event{Tick: math.MaxUint32, Kind: world.JoinEvent, Player: 9}})
	}
	if h.client.Err() == nil {
		t.Errorf("the client gathers what it can never use: %s", h.client.Status())
	}
}

// TestRecordForACompleteTickEndsTheClient tests that a client leaves with an error when a record
// comes for a tick whose commit mark it has confirmed: it can no longer simulate that tick again.
func TestRecordForACompleteTickEndsTheClient(t *testing.T) {
	t.Parallel()
	h := newByHand()
	tl := timeline.New(stub.MustCompile(), timeline.Options{States: 64})
	tl.Step()
	h.letIn(tl.At(1))
	var marks []wire.Record
	for tl.Now() < 20 {
		tl.Step()
		marks = append(marks, wire.Record{Seq: uint32(tl.Now()), Committed: true, Hash: tl.At(tl.Now()).Hash(), Event: world.Event{Tick: tl.Now()}})
	}
	h.frame(wire.Record{Seq: 1, Event: world.Event{Tick: 1, Kind: world.JoinEvent, Player: 3}}) // the keyframe has it
	h.frame(marks...)
	h.run(time.Second)
	if h.client.Err() != nil || h.client.Confirmed() != 20 || h.client.Desync() != nil {
		t.Fatalf("%s, tick %d is confirmed, %v, %v", h.client.Status(), h.client.Confirmed(), h.client.Err(), h.client.Desync())
	}
	h.frame(wire.Record{Seq: 21, Event: world.Event{Tick: 10, Kind: world.JoinEvent, Player: 3}})
	if err := h.client.Err(); !errors.Is(err, wire.ErrMalformed) || !errors.Is(err, timeline.ErrTooOld) {
		t.Errorf("the client is %s: %v", h.client.Stage(), err)
	}
}

// TestKeyframeOfABundleThatIsNotAnnounced tests that a client waits for the
// announcement, which the keyframe may have overtaken. Until then it does not play, and
// requests nothing.
func TestKeyframeOfABundleThatIsNotAnnounced(t *testing.T) {
	t.Parallel()
	h := newByHand()
	s := firstTick(t)
	s.Bundle = 7
	h.letIn(s)
	h.run(3 * time.Second)
	if h.client.Playing() || h.client.Err() != nil {
		t.Fatalf("%s, %v", h.client.Status(), h.client.Err())
	}
	h.announce(7)
	h.say(link.Bulk, wire.AppendKeyframe(nil, &wire.Keyframe{FirstSeq: 1, State: stateBytes(s)}))
	h.run(time.Second)
	if h.client.Status() != "playing" {
		t.Errorf("%s, %v after the announcement came", h.client.Status(), h.client.Err())
	}
}

// TestMessagesOutOfTurnDoNotPanicAClient sends each message at each stage of a connection.
func TestMessagesOutOfTurnDoNotPanicAClient(t *testing.T) {
	t.Parallel()
	s := firstTick(t)
	a := announcement(1)
	said := map[string][]byte{
		"refuse":      wire.AppendRefuse(nil, &wire.Refuse{Reason: "no"}),
		"end":         wire.AppendEnd(nil, &wire.End{Cause: wire.EndOver, Reason: "good night"}),
		"welcome":     wire.AppendWelcome(nil, &wire.Welcome{Player: 1, Bundles: []wire.Announce{a}}),
		"announce":    wire.AppendAnnounce(nil, &a),
		"bundle":      wire.AppendBundle(nil, &wire.Bundle{Data: stub.Game().Encode()}),
		"keyframe":    wire.AppendKeyframe(nil, &wire.Keyframe{FirstSeq: 1, State: stateBytes(s)}),
		"watching":    wire.AppendKeyframe(nil, &wire.Keyframe{FirstSeq: 1, State: stateBytes(s), Snapshot: 3}),
		"correction":  wire.AppendCorrection(nil, &wire.Correction{Tick: 1, Object: world.GameID, State: stateBytes(s)}),
		"lead":        wire.AppendNotice(nil, &wire.Notice{Kind: wire.NoticeLead, Tick: 1, Count: 20, Reason: "late"}),
		"dropped":     wire.AppendNotice(nil, &wire.Notice{Kind: wire.NoticeDropped, Tick: 1, Count: 20, Reason: "late"}),
		"chat":        wire.AppendChat(nil, &wire.Chat{Player: 2, Text: "hi"}),
		"roster":      wire.AppendRoster(nil, &wire.Roster{Players: []wire.RosterEntry{{Player: 1, Name: "me"}}}),
		"problems":    wire.AppendProblems(nil, &wire.Problems{Refused: "ship.lua:3: ?", Failed: []wire.Failure{{Tick: 1 << 30, Until: 3, Object: 7, Class: "Nobody", Hook: "?"}}}),
		"cues":        wire.AppendCues(nil, &wire.Cues{Seq: 1, Updates: []wire.CueUpdate{{Number: 1, Cue: world.Cue{CueKey: world.CueKey{Tick: 3, Object: 1, Name: "x"}}}}}),
		"state reply": wire.AppendStateReply(nil, &wire.StateReply{Tick: 1, State: stateBytes(s)}),
		"assets":      wire.AppendAssets(nil, &wire.Assets{Bytes: 3000}),
		"asset part":  wire.AppendAssetPart(nil, &wire.AssetPart{Data: []byte("x")}),
		"pong":        wire.AppendPong(nil, &wire.Pong{Sent: 1, Host: time.Second}),
		"frame":       wire.AppendHostPacket(nil, &wire.HostPacket{Seq: 90, Tick: 100, Records: []wire.Record{{Seq: 1, Committed: true, Event: world.Event{Tick: 2}}}}),
	}
	stages := map[string]func(h *byHand){
		"joining":  func(*byHand) {},
		"fetching": func(h *byHand) { h.say(link.Control, said["welcome"]) },
		"waiting":  func(h *byHand) { h.say(link.Control, said["welcome"]); h.sendBundle() },
		"playing":  func(h *byHand) { h.letIn(firstTick(t)) },
	}
	for stage, to := range stages {
		for name, b := range said {
			t.Run(stage+"/"+name, func(t *testing.T) {
				for _, watches := range []bool{false, true} {
					h := byHandTo(watches)
					to(h)
					_ = h.end.SendDatagram(h.now, h.peer, b)
					h.say(link.Control, b)
					h.run(100 * time.Millisecond)
					h.client.View(&runtime.View{})
				}
			})
		}
	}
}
