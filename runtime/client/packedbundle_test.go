package client_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/internal/roomtest"
	"github.com/hindcast/hindcast/runtime/internal/stub"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/world"
)

// saves are the bundles of a game that is edited again and again; index i is bundle i+1.
type saves [][]byte

func newSaves(n int) (s saves) {
	for i := range n {
		b := stub.Game()
		b.Files = []world.Source{{Name: "note.lua", Text: fmt.Sprintf("%s-- save %d", strings.Repeat("-- a line\n", 40), i)}}
		if i == 0 {
			b = stub.Game()
			b.Files = []world.Source{{Name: "note.lua", Text: strings.Repeat("-- a line\n", 40)}}
		}
		s = append(s, b.Encode())
	}
	return s
}

// announce returns the announcement of a bundle, which is in force later than any tick of a test.
func (s saves) announce(number int) wire.Announce {
	data := s[number-1]
	a := wire.Announce{Number: uint32(number), Tick: 100_000, Hash: bundle.HashOf(data), Bytes: uint32(len(data))}
	if number == 1 {
		a.Tick = 0
	}
	return a
}

// packed returns the message with a bundle, packed against another one; 0: against none.
func (s saves) packed(number, base int) []byte {
	m := wire.Bundle{Hash: bundle.HashOf(s[number-1]), Data: bundle.Pack(s[number-1])}
	if base > 0 {
		m.Base, m.Data = bundle.HashOf(s[base-1]), bundle.PackAgainst(s[base-1], s[number-1])
	}
	return wire.AppendBundle(nil, &m)
}

// wants notes which bundles a client asks for.
type wants struct {
	link.Link
	asked []wire.BundleWant
	said  []wire.Kind // all messages
}

func (w *wants) SendMessage(now time.Duration, p link.Peer, s link.Stream, b []byte) error {
	w.said = append(w.said, wire.KindOf(b))
	if m, err := wire.ParseBundleWant(b); err == nil {
		w.asked = append(w.asked, m)
	}
	return w.Link.SendMessage(now, p, s, b)
}

// byHandNotingWants makes a host for a client whose wishes are noted.
func byHandNotingWants(change func(*client.Config)) (*roomtest.ByHand, *wants) {
	w := &wants{}
	return roomtest.ByHandWith(func(cfg *client.Config) {
		w.Link = cfg.Link
		cfg.Link = w
		change(cfg)
	}), w
}

func say(h *roomtest.ByHand, messages ...[]byte) {
	for _, b := range messages {
		h.Say(link.Bulk, b)
	}
}

func announce(a wire.Announce) []byte { return wire.AppendAnnounce(nil, &a) }

// TestEverythingFollowsTheWelcome: a client that is sent the bundles and the keyframe at once asks for nothing, also if
// it has a bundle in its cache.
func TestEverythingFollowsTheWelcome(t *testing.T) {
	t.Parallel()
	s := newSaves(3)
	for _, cached := range []int{0, 1, 2, 3} {
		cache := kept{}
		if cached > 0 {
			cache[bundle.HashOf(s[cached-1])] = s[cached-1]
		}
		h, w := byHandNotingWants(func(cfg *client.Config) { cfg.Cache = cache })
		say(h, wire.AppendWelcome(nil, &wire.Welcome{Player: 1, Bundles: []wire.Announce{s.announce(1), s.announce(2), s.announce(3)}, Follow: true}))
		if got := h.Client.Stage(); got != room.StageWaiting {
			t.Errorf("%s after the Welcome", got)
		}
		say(h, s.packed(1, 0), s.packed(2, 1), s.packed(3, 2),
			wire.AppendKeyframe(nil, &wire.Keyframe{FirstSeq: 1, State: roomtest.StateBytes(roomtest.FirstTick(t))}))
		h.Run(100 * time.Millisecond)
		want := room.BundleCounts{Fetched: 3}
		if cached > 0 {
			want = room.BundleCounts{Fetched: 2, Cached: 1}
		}
		r := h.Client.Report(h.Now)
		if h.Client.Status() != "playing" || *r.Bundles != want || r.Bundle != bundle.Hash(s.announce(3).Hash).String() {
			t.Errorf("%d is cached: %s, %v, bundle %s, %+v", cached, h.Client.Status(), h.Client.Err(), r.Bundle, *r.Bundles)
		}
		if len(w.said) != 1 || w.said[0] != wire.KindHello {
			t.Errorf("%d is cached: the client said %v", cached, w.said)
		}
	}
}

// TestBundleWaitsForItsBase: while a client fetches a bundle, others are announced, each packed against the one before.
// It begins nothing anew: it keeps them until the first one has arrived, and asks for nothing.
func TestBundleWaitsForItsBase(t *testing.T) {
	t.Parallel()
	s := newSaves(4)
	h, w := byHandNotingWants(func(*client.Config) {})
	say(h, wire.AppendWelcome(nil, &wire.Welcome{Player: 1, Bundles: []wire.Announce{s.announce(1), s.announce(2)}}))
	if first, second := (wire.BundleWant{Hash: s.announce(1).Hash}), (wire.BundleWant{Hash: s.announce(2).Hash, Base: s.announce(1).Hash}); len(w.asked) != 2 ||
		w.asked[0] != first || w.asked[1] != second {
		t.Fatalf("the client asked for %d bundles", len(w.asked))
	}
	say(h, announce(s.announce(3)), s.packed(3, 2), announce(s.announce(4)), s.packed(4, 3))
	if got := *h.Client.Report(h.Now).Bundles; got.Fetched != 0 || h.Client.Err() != nil {
		t.Fatalf("%+v, %v", got, h.Client.Err())
	}
	say(h, s.packed(1, 0))
	if got := *h.Client.Report(h.Now).Bundles; got.Fetched != 1 {
		t.Errorf("after the first one: %+v, %v", got, h.Client.Err())
	}
	say(h, s.packed(2, 1))
	if got := *h.Client.Report(h.Now).Bundles; got.Fetched != 4 || len(w.asked) != 2 || h.Client.Err() != nil {
		t.Errorf("after the second one: %+v, %d were asked for, %v", got, len(w.asked), h.Client.Err())
	}
}

// TestBaseThatWasReplaced: the bundle that a client is fetching gets another view.lua, packed against what the client no
// longer needs. It takes that as a base.
func TestBaseThatWasReplaced(t *testing.T) {
	t.Parallel()
	s := newSaves(2)
	h, w := byHandNotingWants(func(*client.Config) {})
	revised := s.announce(2)
	revised.Number, revised.Tick = 1, 0
	say(h, wire.AppendWelcome(nil, &wire.Welcome{Player: 1, Bundles: []wire.Announce{s.announce(1)}}),
		announce(revised), s.packed(2, 1), s.packed(1, 0))
	r := h.Client.Report(h.Now)
	if r.Bundles.Fetched != 1 || r.Bundle != bundle.Hash(revised.Hash).String() || len(w.asked) != 1 || h.Client.Err() != nil {
		t.Errorf("bundle %s, %+v, %d were asked for, %v", r.Bundle, *r.Bundles, len(w.asked), h.Client.Err())
	}
}

// TestUnknownBase: a client asks for the whole bundle if it does not have what that is packed against.
func TestUnknownBase(t *testing.T) {
	t.Parallel()
	s := newSaves(4)
	h, w := byHandNotingWants(func(*client.Config) {})
	say(h, wire.AppendWelcome(nil, &wire.Welcome{Player: 1, Bundles: []wire.Announce{s.announce(1)}}), s.packed(1, 0),
		announce(s.announce(4)), s.packed(4, 3))
	if want := (wire.BundleWant{Hash: s.announce(4).Hash}); len(w.asked) != 2 || w.asked[1] != want {
		t.Fatalf("the client asked for %d bundles", len(w.asked))
	}
	say(h, s.packed(4, 0))
	if got := *h.Client.Report(h.Now).Bundles; got.Fetched != 2 || h.Client.Err() != nil {
		t.Errorf("%+v, %v", got, h.Client.Err())
	}
	say(h, announce(s.announce(1)), announce(s.announce(2)), s.packed(2, 1)) // the first one is in force again
	if got := *h.Client.Report(h.Now).Bundles; got.Fetched != 3 || len(w.asked) != 2 || h.Client.Err() != nil {
		t.Errorf("%+v, %d were asked for, %v", got, len(w.asked), h.Client.Err())
	}
}

// TestBundlesThatWaitAreBounded: a host that packs bundle after bundle against one that never comes costs a client no
// more than a bundle.
func TestBundlesThatWaitAreBounded(t *testing.T) {
	t.Parallel()
	s := newSaves(2)
	noise, rng := make([]byte, 300<<10), rand.New(rand.NewPCG(1, 2))
	for i := range noise {
		noise[i] = byte(rng.Uint32())
	}
	h, w := byHandNotingWants(func(*client.Config) {})
	say(h, wire.AppendWelcome(nil, &wire.Welcome{Player: 1, Bundles: []wire.Announce{s.announce(1)}}))
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	const sent = 12
	for i := range sent {
		a := wire.Announce{Number: uint32(i) + 2, Tick: 100_000, Hash: [32]byte{1, byte(i)}, Bytes: bundle.MaxSize}
		say(h, announce(a), wire.AppendBundle(nil, &wire.Bundle{Hash: a.Hash, Base: s.announce(1).Hash, Data: noise}))
	}
	h.Run(20 * time.Second)
	runtime.GC()
	runtime.ReadMemStats(&after)
	const waits = bundle.MaxSize / (300 << 10)
	if got := len(w.asked); got != 1+sent-waits || h.Client.Err() != nil {
		t.Errorf("the client asked for %d bundles, not for %d; %v", got, 1+sent-waits, h.Client.Err())
	}
	if got := int64(after.HeapAlloc) - int64(before.HeapAlloc); got > 16<<20 {
		t.Errorf("%d bytes", got)
	}
}

// TestBundlesThatAreNotWhatTheySay: each ends the client with an error that says what is wrong.
func TestBundlesThatAreNotWhatTheySay(t *testing.T) {
	t.Parallel()
	s := newSaves(3)
	coming := s.announce(3)
	for what, c := range map[string]struct {
		m    wire.Bundle
		says string
	}{
		"another bundle":           {wire.Bundle{Hash: coming.Hash, Data: bundle.Pack(s[1])}, "came out as " + bundle.HashOf(s[1]).String()},
		"another bundle's changes": {wire.Bundle{Hash: coming.Hash, Base: s.announce(1).Hash, Data: bundle.PackAgainst(s[0], s[1])}, "came out as"},
		"packed against another": {wire.Bundle{Hash: coming.Hash, Base: s.announce(1).Hash,
			Data: bundle.PackAgainst(append(bytes.Repeat([]byte("x"), 9999), s[2]...), s[2])}, "packed against another bundle than it says"},
		"more than was announced": {wire.Bundle{Hash: coming.Hash, Data: bundle.Pack(make([]byte, 64<<20))}, "more than the"},
		"more from its base":      {wire.Bundle{Hash: coming.Hash, Base: s.announce(1).Hash, Data: bundle.Pack(bytes.Repeat([]byte{33, 0}, 1<<20))}, "more than the"},
		"not packed":              {wire.Bundle{Hash: coming.Hash, Base: s.announce(1).Hash, Data: []byte{0xff}}, "not packed"},
	} {
		h, _ := byHandNotingWants(func(*client.Config) {})
		say(h, wire.AppendWelcome(nil, &wire.Welcome{Player: 1, Bundles: []wire.Announce{s.announce(1)}}), s.packed(1, 0),
			announce(coming), wire.AppendBundle(nil, &c.m))
		h.Run(time.Second)
		if err := h.Client.Err(); !errors.Is(err, bundle.ErrInvalid) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, should say %q", what, err, c.says)
		}
	}
}

// TestOnlookerEntersBeforeTheWelcome: a player who enters after the Hello has said that they look on says so when the
// keyframe follows the Welcome.
func TestOnlookerEntersBeforeTheWelcome(t *testing.T) {
	t.Parallel()
	for _, enters := range []bool{false, true} {
		h, w := byHandNotingWants(func(cfg *client.Config) { cfg.Onlooker = true })
		if enters {
			h.Client.Enter(h.Now)
		}
		say(h, wire.AppendWelcome(nil, &wire.Welcome{Player: 1, Bundles: []wire.Announce{roomtest.Announcement(1)}, Follow: true}))
		if said := len(w.said) == 2 && w.said[1] == wire.KindEnter; said != enters {
			t.Errorf("enters: %v, said: %v", enters, w.said)
		}
	}
}
