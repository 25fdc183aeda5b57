package host_test

import (
	"bytes"
	"encoding/hex"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/internal/roomtest"
	"github.com/hindcast/hindcast/runtime/internal/stub"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/world"
)

// newcomer is a connection to a room over which a test speaks, and what came on it.
type newcomer struct {
	sim   *simtest.Sim
	link  link.Link
	host  link.Peer
	kinds []wire.Kind // of the messages
	got   [][]byte
}

// newcomerTo connects to a room.
func newcomerTo(sim *simtest.Sim) *newcomer {
	n := &newcomer{sim: sim, link: sim.Net.Dial(memlink.Off(), memlink.Off())}
	n.run(100 * time.Millisecond)
	return n
}

func (n *newcomer) run(d time.Duration) {
	for end := n.sim.Now + d; n.sim.Now < end; n.sim.Run(simtest.PollEvery) {
		n.link.Poll(n.sim.Now, func(ev link.Event) {
			n.host = ev.Peer
			if ev.Kind == link.Message {
				n.kinds = append(n.kinds, wire.KindOf(ev.Data))
				n.got = append(n.got, slices.Clone(ev.Data))
			}
		})
	}
}

// say sends a message, and returns the messages of a kind that came in the next moments.
func (n *newcomer) say(b []byte, kind wire.Kind) (answers [][]byte) {
	n.kinds, n.got = nil, nil
	_ = n.link.SendMessage(n.sim.Now, n.host, link.Control, b)
	n.run(500 * time.Millisecond)
	return n.all(kind)
}

// all returns the messages of a kind.
func (n *newcomer) all(kind wire.Kind) (all [][]byte) {
	for i, k := range n.kinds {
		if k == kind {
			all = append(all, n.got[i])
		}
	}
	return all
}

// bundles parses messages with bundles.
func bundles(t *testing.T, messages [][]byte) (all []wire.Bundle) {
	t.Helper()
	for _, b := range messages {
		m, err := wire.ParseBundle(b)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, m)
	}
	return all
}

// unpacked returns the bytes of a bundle that is packed against none, or against one that is known.
func unpacked(t *testing.T, m wire.Bundle, known ...[]byte) []byte {
	t.Helper()
	data, err := bundle.Unpack(m.Data, bundle.MaxSize)
	if m.Base != (bundle.Hash{}) {
		i := slices.IndexFunc(known, func(b []byte) bool { return bundle.HashOf(b) == m.Base })
		if i < 0 {
			t.Fatalf("bundle %x is packed against %x, which is none of %d", m.Hash[:4], m.Base[:4], len(known))
		}
		data, err = bundle.UnpackAgainst(known[i], m.Data, bundle.MaxSize)
	}
	if err != nil || bundle.HashOf(data) != m.Hash {
		t.Fatalf("bundle %x: %v", m.Hash[:4], err)
	}
	return data
}

// put puts the stub game in force with another text, or announces it.
func put(t *testing.T, sim *simtest.Sim, files ...world.Source) []byte {
	t.Helper()
	next := stub.Game()
	next.Files = files
	script, err := stub.Compile(next.Files, next.Setup)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := sim.Host.Switch(next, script); err != nil {
		t.Fatal(err)
	}
	return next.Encode()
}

// TestJoiningAtOnce: a client that wants it gets everything with the Welcome, in the order in which it needs it: each
// bundle packed against the one before, the keyframe, and its own join with what else has happened since. Another one gets the Welcome alone.
func TestJoiningAtOnce(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		hello wire.Hello
		want  []wire.Kind // apart from Rosters, which are on another stream
	}{
		{wire.Hello{}, []wire.Kind{wire.KindWelcome}},
		{wire.Hello{AtOnce: true}, []wire.Kind{wire.KindWelcome, wire.KindBundle, wire.KindBundle, wire.KindBundle, wire.KindKeyframe, wire.KindHostPacket}},
		{wire.Hello{AtOnce: true, Snapshots: true, Onlooker: true}, []wire.Kind{wire.KindWelcome, wire.KindBundle, wire.KindBundle, wire.KindBundle, wire.KindKeyframe}},
	} {
		sim := simtest.New(t, roomtest.Options(4, 1, memlink.LAN()))
		sim.Run(2 * time.Second)
		put(t, sim, world.Source{Name: "note.lua", Text: "-- one"})
		put(t, sim, world.Source{Name: "note.lua", Text: "-- two"})
		n, hello := newcomerTo(sim), c.hello
		hello.Version = wire.Version
		welcomes := n.say(wire.AppendHello(nil, &hello), wire.KindWelcome)
		kinds := slices.DeleteFunc(slices.Clone(n.kinds), func(k wire.Kind) bool { return k == wire.KindRoster || k == wire.KindAssets })
		if !slices.Equal(kinds, c.want) {
			t.Errorf("%+v: got %v, want %v", c.hello, kinds, c.want)
			continue
		}
		welcome, err := wire.ParseWelcome(welcomes[0])
		if err != nil || welcome.Follow != c.hello.AtOnce || len(welcome.Bundles) != 3 {
			t.Fatalf("%+v, %v", welcome, err)
		}
		var known [][]byte
		for i, m := range bundles(t, n.all(wire.KindBundle)) {
			known = append(known, unpacked(t, m, known...))
			if m.Hash != welcome.Bundles[i].Hash || (i > 0) != (m.Base != bundle.Hash{}) || i > 0 && m.Base != welcome.Bundles[i-1].Hash {
				t.Errorf("bundle %d is %x, packed against %x", i, m.Hash[:4], m.Base[:4])
			}
		}
		for _, b := range n.all(wire.KindHostPacket) {
			var m wire.HostPacket
			if err := wire.ParseHostPacket(b, &m); err != nil || m.Seq != 0 || len(m.Records) != 3 {
				t.Fatalf("after the keyframe: %+v, %v", m, err)
			}
			// The bundles are in force later than the join.
			one, two, join := &m.Records[0].Event, &m.Records[1].Event, &m.Records[2].Event
			if one.Kind != world.BundleEvent || two.Kind != world.BundleEvent || join.Kind != world.JoinEvent || join.Player != welcome.Player {
				t.Errorf("after the keyframe: %+v", m.Records)
			}
		}
	}
}

// TestLargeBundlesAreAskedFor: a game that is large is not sent unasked, because a client may have it. What a client
// asks for is packed against what it has, if that is the bundle before, and as a whole otherwise. What it is told of
// later is packed against the bundle of before, whether it has asked for that or not.
func TestLargeBundlesAreAskedFor(t *testing.T) {
	t.Parallel()
	noise := make([]byte, 34<<10)
	_, _ = rand.NewChaCha8([32]byte{7}).Read(noise)
	large := world.Source{Name: "large.lua", Text: hex.EncodeToString(noise)}
	o := roomtest.Options(4, 1, memlink.LAN())
	o.Bundle.Files = []world.Source{large}
	first := o.Bundle.Encode()
	sim := simtest.New(t, o)
	sim.Run(2 * time.Second)
	second := put(t, sim, large, world.Source{Name: "note.lua", Text: "-- one"})
	n := newcomerTo(sim)
	if got := n.say(wire.AppendHello(nil, &wire.Hello{Version: wire.Version, AtOnce: true}), wire.KindWelcome); len(got) != 1 || len(n.all(wire.KindBundle)) > 0 {
		t.Fatalf("got %v", n.kinds)
	} else if m, err := wire.ParseWelcome(got[0]); err != nil || m.Follow {
		t.Fatalf("%+v, %v", m, err)
	}
	third := put(t, sim, large, world.Source{Name: "note.lua", Text: "-- two"})
	n.run(200 * time.Millisecond)
	told := bundles(t, n.all(wire.KindBundle))
	if len(told) != 1 || told[0].Base != bundle.HashOf(second) || len(told[0].Data) > 200 || !bytes.Equal(unpacked(t, told[0], second), third) {
		t.Errorf("told %d bundles", len(told))
	}
	for what, c := range map[string]struct {
		base  bundle.Hash
		whole bool
	}{
		"the one before":       {bundle.HashOf(first), false},
		"none":                 {bundle.Hash{}, true},
		"one that is unknown":  {bundle.Hash{1, 2, 3}, true},
		"one that comes later": {bundle.HashOf(third), true},
		"itself":               {bundle.HashOf(second), true},
	} {
		n := newcomerTo(sim)
		n.say(wire.AppendHello(nil, &wire.Hello{Version: wire.Version}), wire.KindWelcome)
		got := bundles(t, n.say(wire.AppendBundleWant(nil, &wire.BundleWant{Hash: bundle.HashOf(second), Base: c.base}), wire.KindBundle))
		if len(got) != 1 || !bytes.Equal(unpacked(t, got[0], first), second) || (got[0].Base == bundle.Hash{}) != c.whole {
			t.Errorf("%s: %d bundles came", what, len(got))
		}
	}
}
