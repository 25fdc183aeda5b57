package client_test

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/internal/roomtest"
	"github.com/hindcast/hindcast/runtime/internal/stub"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// TestRowsOutOfTurn: a row that is not the next one breaks the protocol.
func TestRowsOutOfTurn(t *testing.T) {
	t.Parallel()
	h := roomtest.NewByHand()
	row := func(number uint32) {
		h.Say(link.Bulk, wire.AppendRow(nil, &wire.Row{Number: number, Bundle: 1, Object: 1, Tick: 1, Words: make([]int64, wire.MaxRowWords)}))
	}
	for number := range uint32(100) {
		row(number + 1)
	}
	if h.Client.Stage() == room.StageOver {
		t.Fatalf("100 rows ended the client: %v", h.Client.Err())
	}
	row(102)
	if err := h.Client.Err(); !errors.Is(err, wire.ErrMalformed) {
		t.Errorf("row 102 after row 100: %v", err)
	}
}

func TestEmptyKeyframe(t *testing.T) {
	t.Parallel()
	h := roomtest.NewByHand()
	h.LetIn(&world.State{Tick: 100, Bundle: 1, Rows: world.Rows{Stride: 2}})
	h.Frame(wire.Record{Seq: 1, Event: world.Event{Tick: 101, Kind: world.JoinEvent, Player: 3}})
	h.Run(time.Second)
	if h.Client.Err() == nil {
		t.Errorf("the client plays in a world without a game: %s", h.Client.Status())
	}
}

func TestLogThatGoesBackToAnOldBundle(t *testing.T) {
	t.Parallel()
	h := roomtest.NewByHand()
	h.LetIn(roomtest.FirstTick(t))
	h.Announce(2)
	h.SendBundle()
	h.Frame(wire.Record{Seq: 1, Event: world.Event{Tick: 5, Kind: world.BundleEvent, Bundle: 2}},
		wire.Record{Seq: 2, Event: world.Event{Tick: 400, Kind: world.BundleEvent, Bundle: 1}})
	for i := range uint32(600) {
		h.Frame(wire.Record{Seq: 3 + i, Committed: true, Event: world.Event{Tick: world.Tick(2 + i)}})
	}
	h.Run(2 * time.Second)
	if h.Client.Desync() == nil {
		t.Errorf("hashes of nothing were believed: %s, %v", h.Client.Status(), h.Client.Err())
	}
}

func TestLogOfTicksFarAhead(t *testing.T) {
	t.Parallel()
	h := roomtest.NewByHand()
	h.LetIn(roomtest.FirstTick(t))
	for i := range uint32(200) {
		h.Frame(wire.Record{Seq: 2*i + 1, Committed: true, Event: world.Event{Tick: math.MaxUint32}},
			wire.Record{Seq: 2*i + 2, Event: world.Event{Tick: math.MaxUint32, Kind: world.JoinEvent, Player: 9}})
	}
	if h.Client.Err() == nil {
		t.Errorf("the client gathers what it can never use: %s", h.Client.Status())
	}
}

// TestRecordForACompleteTickEndsTheClient tests that a client leaves with an error when a record
// comes for a tick whose commit mark it has confirmed: it can no longer simulate that tick again.
func TestRecordForACompleteTickEndsTheClient(t *testing.T) {
	t.Parallel()
	h := roomtest.NewByHand()
	tl := timeline.New(stub.MustCompile(), timeline.Options{States: 64})
	tl.Step()
	h.LetIn(tl.At(1))
	var marks []wire.Record
	for tl.Now() < 20 {
		tl.Step()
		marks = append(marks, wire.Record{Seq: uint32(tl.Now()), Committed: true, Hash: tl.At(tl.Now()).Hash(), Event: world.Event{Tick: tl.Now()}})
	}
	h.Frame(wire.Record{Seq: 1, Event: world.Event{Tick: 1, Kind: world.JoinEvent, Player: 3}}) // the keyframe has it
	h.Frame(marks...)
	h.Run(time.Second)
	if h.Client.Err() != nil || h.Client.Confirmed() != 20 || h.Client.Desync() != nil {
		t.Fatalf("%s, tick %d is confirmed, %v, %v", h.Client.Status(), h.Client.Confirmed(), h.Client.Err(), h.Client.Desync())
	}
	h.Frame(wire.Record{Seq: 21, Event: world.Event{Tick: 10, Kind: world.JoinEvent, Player: 3}})
	if err := h.Client.Err(); !errors.Is(err, wire.ErrMalformed) || !errors.Is(err, timeline.ErrTooOld) {
		t.Errorf("the client is %s: %v", h.Client.Stage(), err)
	}
}

// TestKeyframeOfABundleThatIsNotAnnounced tests that a client waits for the
// announcement, which the keyframe may have overtaken. Until then it does not play, and
// requests nothing.
func TestKeyframeOfABundleThatIsNotAnnounced(t *testing.T) {
	t.Parallel()
	h := roomtest.NewByHand()
	s := roomtest.FirstTick(t)
	s.Bundle = 7
	h.LetIn(s)
	h.Run(3 * time.Second)
	if h.Client.Playing() || h.Client.Err() != nil {
		t.Fatalf("%s, %v", h.Client.Status(), h.Client.Err())
	}
	h.Announce(7)
	h.Say(link.Bulk, wire.AppendKeyframe(nil, &wire.Keyframe{FirstSeq: 1, State: roomtest.StateBytes(s)}))
	h.Run(time.Second)
	if h.Client.Status() != "playing" {
		t.Errorf("%s, %v after the announcement came", h.Client.Status(), h.Client.Err())
	}
}

// TestMessagesOutOfTurnDoNotPanicAClient sends each message at each stage of a connection.
func TestMessagesOutOfTurnDoNotPanicAClient(t *testing.T) {
	t.Parallel()
	s := roomtest.FirstTick(t)
	a := roomtest.Announcement(1)
	said := map[string][]byte{
		"refuse":      wire.AppendRefuse(nil, &wire.Refuse{Reason: "no"}),
		"end":         wire.AppendEnd(nil, &wire.End{Cause: wire.EndOver, Reason: "good night"}),
		"welcome":     wire.AppendWelcome(nil, &wire.Welcome{Player: 1, Bundles: []wire.Announce{a}}),
		"announce":    wire.AppendAnnounce(nil, &a),
		"bundle":      roomtest.BundleMessage(stub.Game()),
		"keyframe":    wire.AppendKeyframe(nil, &wire.Keyframe{FirstSeq: 1, State: roomtest.StateBytes(s)}),
		"watching":    wire.AppendKeyframe(nil, &wire.Keyframe{FirstSeq: 1, State: roomtest.StateBytes(s), Snapshot: 3}),
		"correction":  wire.AppendCorrection(nil, &wire.Correction{Tick: 1, Object: world.MatchID, State: roomtest.StateBytes(s)}),
		"lead":        wire.AppendNotice(nil, &wire.Notice{Kind: wire.NoticeLead, Tick: 1, Count: 20, Reason: "late"}),
		"dropped":     wire.AppendNotice(nil, &wire.Notice{Kind: wire.NoticeDropped, Tick: 1, Count: 20, Reason: "late"}),
		"chat":        wire.AppendChat(nil, &wire.Chat{Player: 2, Text: "hi"}),
		"roster":      wire.AppendRoster(nil, &wire.Roster{Players: []wire.RosterEntry{{Player: 1, Name: "me"}}}),
		"problems":    wire.AppendProblems(nil, &wire.Problems{Refused: []string{"ship.lua:3: ?"}, Failed: []wire.Failure{{Tick: 1 << 30, Until: 3, Object: 7, Class: "Nobody", Hook: "?"}}}),
		"cues":        wire.AppendCues(nil, &wire.Cues{Seq: 1, Updates: []wire.CueUpdate{{Number: 1, Cue: world.Cue{CueKey: world.CueKey{Tick: 3, Object: 1, Name: "x"}}}}}),
		"state reply": wire.AppendStateReply(nil, &wire.StateReply{Tick: 1, State: roomtest.StateBytes(s)}),
		"assets":      wire.AppendAssets(nil, &wire.Assets{Bytes: 3000}),
		"asset part":  wire.AppendAssetPart(nil, &wire.AssetPart{Data: []byte("x")}),
		"pong":        wire.AppendPong(nil, &wire.Pong{Sent: 1, Host: time.Second}),
		"frame":       wire.AppendHostPacket(nil, &wire.HostPacket{Seq: 90, Tick: 100, Records: []wire.Record{{Seq: 1, Committed: true, Event: world.Event{Tick: 2}}}}),
	}
	stages := map[string]func(h *roomtest.ByHand){
		"joining":  func(*roomtest.ByHand) {},
		"fetching": func(h *roomtest.ByHand) { h.Say(link.Control, said["welcome"]) },
		"waiting":  func(h *roomtest.ByHand) { h.Say(link.Control, said["welcome"]); h.SendBundle() },
		"playing":  func(h *roomtest.ByHand) { h.LetIn(roomtest.FirstTick(t)) },
	}
	for stage, to := range stages {
		for name, b := range said {
			t.Run(stage+"/"+name, func(t *testing.T) {
				for _, watches := range []bool{false, true} {
					h := roomtest.ByHandTo(watches)
					to(h)
					_ = h.End.SendDatagram(h.Now, h.Peer, b)
					h.Say(link.Control, b)
					h.Run(100 * time.Millisecond)
					h.Client.View(&room.View{})
				}
			})
		}
	}
}
