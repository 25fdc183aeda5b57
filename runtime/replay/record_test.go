package replay_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/replay"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/world"
	"pgregory.net/rapid"
)

// TestRecordsRoundTrip: any record, written and read, is the same.
func TestRecordsRoundTrip(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		want := genRecord(t)
		var got replay.Record
		rest, err := replay.Next(append(replay.Append(nil, &want), 42), &got)
		if err != nil || len(rest) != 1 || !reflect.DeepEqual(got, want) {
			t.Fatalf("%v, %d bytes left\nwrote %+v\nread  %+v", err, len(rest), want, got)
		}
	})
}

func genRecord(t *rapid.T) replay.Record {
	r := replay.Record{Kind: replay.Kind(rapid.IntRange(int(replay.Tick), int(replay.End)).Draw(t, "kind"))}
	tick := world.Tick(rapid.Uint32().Draw(t, "tick"))
	player := world.PlayerID(rapid.Uint16().Draw(t, "player"))
	text := rapid.StringN(0, 40, 200).Draw(t, "text")
	data := rapid.SliceOfN(rapid.Byte(), 1, 50).Draw(t, "data")
	events := func() (out []world.Event) {
		for range rapid.IntRange(0, 3).Draw(t, "events") {
			out = append(out, input(world.Tick(rapid.Uint32().Draw(t, "event tick"))))
		}
		return out
	}
	if r.Kind != replay.End && r.Kind != replay.Event && r.Kind != replay.Name && r.Kind != replay.Object {
		r.Tick = tick
	}
	switch r.Kind {
	case replay.Event:
		r.Event = input(tick)
	case replay.Mark:
		r.Hash, r.Committed = rapid.Uint64().Draw(t, "hash"), rapid.Bool().Draw(t, "committed")
	case replay.Bundle:
		r.Number, r.Data = rapid.Uint32().Draw(t, "number"), data
		copy(r.Hash32[:], data)
	case replay.Keyframe:
		r.Clock, r.State, r.PoseHistory, r.Held, r.Coming = tick, data, data, events(), events()
		r.Names = []replay.Named{{Player: player, Name: text}}
	case replay.State:
		r.State = data
	case replay.Correction:
		r.Player, r.Object, r.Distance = player, 77, rapid.Float64().Draw(t, "distance")
	case replay.Notice:
		r.Player, r.Count, r.Text = player, rapid.IntRange(0, 1<<20).Draw(t, "count"), text
	case replay.Name:
		r.Player, r.Text = player, text
	case replay.Object:
		r.Object, r.Text = 77, text
	}
	return r
}

// FuzzRecords reads any bytes as a block's: checksums keep FuzzOpen from here.
func FuzzRecords(f *testing.F) {
	file, err := open(match(f, 60, nil))
	if err != nil {
		f.Fatal(err)
	}
	for i := range file.Blocks {
		raw, err := file.Read(i)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
	}
	for _, r := range hostEvents() {
		f.Add(replay.Append(nil, &r))
	}
	f.Fuzz(func(t *testing.T, rest []byte) {
		for len(rest) > 0 {
			var r replay.Record
			before := rest
			next, err := replay.Next(rest, &r)
			if err != nil {
				if !errors.Is(err, replay.ErrCorrupt) {
					t.Errorf("an error of no kind: %v", err)
				}
				return
			}
			if len(next) >= len(before) {
				t.Fatal("a record of no bytes")
			}
			var again replay.Record
			if _, err := replay.Next(replay.Append(nil, &r), &again); err != nil {
				t.Errorf("a record that was read cannot be written and read: %v", err)
			}
			rest = next
		}
	})
}

// hostEvents returns records of what a host program does.
func hostEvents() []replay.Record {
	event := func(e world.Event) replay.Record { return replay.Record{Kind: replay.Event, Event: e} }
	return []replay.Record{
		{Kind: replay.Chat, Player: 3, Text: "hello"},
		{Kind: replay.Chat, Text: strings.Repeat("x", wire.MaxChat)},
		event(world.Event{Kind: world.SpawnEvent, Tick: 9, Number: 1, Class: "Ship", Values: []world.NamedValue{{Name: "hp", Value: world.NumberValue(0.1)}, {Name: "#hits", Value: world.Value{Kind: world.Count, Word: 2}}}}),
		event(world.Event{Kind: world.SetEvent, Tick: 9, Number: 2, Object: 1 << 63, Values: []world.NamedValue{{Name: "name", Value: world.TextValue("a\x00b")}, {Name: "near", Value: world.RefValue(world.MatchID)}}}),
		event(world.Event{Kind: world.RemoveEvent, Tick: 9, Number: 3, Object: 1 << 63}),
		event(world.Event{Kind: world.CallEvent, Tick: 10, Number: 4, Name: "start", Values: []world.NamedValue{{Value: world.BoolValue(true)}}}),
	}
}

func TestHostEventsAreRead(t *testing.T) {
	var all []byte
	for _, r := range hostEvents() {
		all = replay.Append(all, &r)
	}
	for _, want := range hostEvents() {
		var got replay.Record
		rest, err := replay.Next(all, &got)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%v: %+v, want %+v", err, got, want)
		}
		all = rest
	}
	long := replay.Record{Kind: replay.Chat, Text: strings.Repeat("x", wire.MaxChat+1)}
	var got replay.Record
	if _, err := replay.Next(replay.Append(nil, &long), &got); err != nil || len(got.Text) != wire.MaxChat {
		t.Errorf("a long line: %d bytes, %v", len(got.Text), err)
	}
}
