package replay_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/internal/stub"
	"github.com/hindcast/hindcast/runtime/replay"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// eventful plays a match on awful lines in which players come and go and the
// scripts change, and gives the host's hash of every committed tick.
func eventful(t *testing.T, seed uint64) (*simtest.Sim, map[world.Tick]uint64) {
	t.Helper()
	hashes := map[world.Tick]uint64{}
	o := stubMatch(seed, 3, memlink.Awful())
	o.Compile, o.Bundle.Setup.GraceTicks = stub.CompileWild, 60
	o.Controls = func(i int) client.Controls { return &stub.Wildling{Seed: uint64(i) + seed} }
	o.Host = func(c *host.Config) {
		tell := c.Confirmed
		c.Verify, c.Confirmed = false, func(t world.Tick, h uint64) { tell(t, h); hashes[t] = h }
	}
	o.Client = func(_ int, c *client.Config) { c.Verify = false }
	sim := simtest.New(t, o)
	sim.Run(4 * time.Second)
	sim.Join()
	next := *o.Bundle
	next.Files = []world.Source{{Name: "rules.lua", Text: "other"}}
	script, err := stub.CompileWild(next.Files, next.Setup)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := sim.Host.Switch(&next, script); err != nil {
		t.Fatal(err)
	}
	sim.Run(3 * time.Second)
	sim.Leave(0)
	sim.Run(3 * time.Second)
	return sim, hashes
}

// stubMatch returns a match of stub players on one kind of line.
func stubMatch(seed uint64, clients int, line memlink.Profile) simtest.Options {
	return simtest.Options{Seed: seed, Clients: clients, Profile: line, Bundle: stub.Game(), Compile: stub.Compile,
		Controls: func(i int) client.Controls { return &stub.Wanderer{Seed: uint64(i)} }}
}

func openReplay(t testing.TB, data []byte, compile world.Compile) *replay.Player {
	t.Helper()
	file, err := replay.Open(bytes.NewReader(data), int64(len(data)), nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := replay.NewPlayer(file, compile)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func verify(r *replay.Player) (replay.Verified, error) { return r.Verify(r.Last()) }

// TestReplayGivesTheMatchAgain: every committed tick has the host's hash, whether
// it is reached by playing or by seeking, and rewinding again gives it too. So it is
// in the file of a host that was killed.
func TestReplayGivesTheMatchAgain(t *testing.T) {
	sim, hashes := eventful(t, 3)
	data := sim.Replay()
	isTheMatch(t, sim, data, hashes)
	cutAnywhere(t, data)
	if draws.Full() {
		other, _ := eventful(t, 5)
		cutAnywhere(t, other.Replay())
	}
}

// isTheMatch fails unless a replay is that of a match with these hashes.
func isTheMatch(t *testing.T, sim *simtest.Sim, data []byte, hashes map[world.Tick]uint64) {
	t.Helper()
	r := openReplay(t, data, stub.CompileWild)
	for r.Step() == nil {
		if want, ok := hashes[r.Tick()]; ok && r.State().Hash() != want {
			t.Fatalf("tick %d: hash %016x, the host's %016x", r.Tick(), r.State().Hash(), want)
		}
	}
	if r.Tick() != sim.Host.Now() || r.State().Hash() != sim.Host.State().Hash() {
		t.Errorf("it ends at tick %d, the host at %d, or in another state", r.Tick(), sim.Host.Now())
	}
	if b := r.State().Bundle; b != 2 || len(r.State().Players) != 3 {
		t.Errorf("bundle %d, players %v", b, r.State().Players)
	}
	ticks := keyframeTicks(t, data)
	rng := rand.New(rand.NewPCG(3, 4))
	for range 40 {
		ticks = append(ticks, 1+world.Tick(rng.IntN(len(hashes))))
	}
	for _, at := range ticks {
		if err := r.Seek(at); err != nil {
			t.Fatal(err)
		}
		if r.Tick() != at || r.State().Hash() != hashes[at] {
			t.Errorf("sought tick %d: at %d, hash %016x, the host's %016x", at, r.Tick(), r.State().Hash(), hashes[at])
		}
		if h, ok := r.Hash(); !ok || h != (replay.TickHash{Tick: at, Hash: hashes[at], Committed: true}) {
			t.Errorf("sought tick %d: the recorded hash is %+v, %v", at, h, ok)
		}
	}
	done, err := r.Verify(r.Last())
	rewinds := sim.Host.Report(sim.Now).Rewinds.Count
	if err != nil || done.Ticks != int(sim.Host.Now()) || done.Committed != len(hashes) || done.Rewinds != rewinds || rewinds < 10 || done.States < 4 {
		t.Errorf("%+v, %v; the host rewound %d times", done, err, rewinds)
	}
	if err := r.Seek(300); err != nil {
		t.Fatal(err)
	}
	var v room.View
	room.ViewReplay(r, &v)
	if v.Tick != 300 || len(v.Players) != 4 || v.Players[0].Name != "client 1" || v.Players[2].Name != "client 0" || len(v.Bodies) < 10 {
		t.Errorf("tick 300 shows %+v and %d bodies", v.Players, len(v.Bodies))
	}
	if err := r.Seek(r.Last() + 1); !errors.Is(err, replay.ErrNoTick) {
		t.Errorf("beyond the end: %v", err)
	}
}

// keyframeTicks returns the ticks of the keyframes of a replay, without the one before tick 1.
func keyframeTicks(t *testing.T, data []byte) (ticks []world.Tick) {
	t.Helper()
	file, err := replay.Open(bytes.NewReader(data), int64(len(data)), nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range file.Blocks {
		if b := &file.Blocks[i]; b.HasKey && b.Key > 0 {
			ticks = append(ticks, b.Key)
		}
	}
	if len(ticks) < 3 {
		t.Fatalf("keyframes of ticks %v", ticks)
	}
	return ticks
}

// cutAnywhere cuts the file of a match as a host that is killed does: what is there verifies, and
// no more than a second of what had been written is lost.
func cutAnywhere(t *testing.T, data []byte) {
	whole, err := replay.Open(bytes.NewReader(data), int64(len(data)), nil)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(5, 6))
	for range draws.Pick(3, 12) {
		n := int(whole.Blocks[1].Offset) + rng.IntN(len(data)-int(whole.Blocks[1].Offset))
		r := openReplay(t, data[:n], stub.CompileWild)
		var reached world.Tick // the clock in the block that is cut
		for _, h := range whole.Blocks {
			if h.Offset < int64(n) {
				reached = h.To
			}
		}
		if r.Last()+60 < reached {
			t.Errorf("%d of %d bytes: tick %d is the last one, the host was at %d", n, len(data), r.Last(), reached)
		}
		if done, err := r.Verify(r.Last()); err != nil || done.Committed != int(r.Committed()) {
			t.Errorf("%d of %d bytes: %+v, %v", n, len(data), done, err)
		}
		if err := r.Seek(r.Last()); err != nil {
			t.Errorf("%d of %d bytes, to the last tick: %v", n, len(data), err)
		}
	}
}

// TestReplayNamesAFlippedBit: without a client that asks for the state, there
// is only the hash of that tick in the file.
func TestReplayNamesAFlippedBit(t *testing.T) {
	o := stubMatch(1, 0, memlink.LAN())
	o.Host = func(c *host.Config) { c.Fault, c.Verify = timeline.Fault{Tick: 100, Object: 8}, false }
	sim := simtest.New(t, o)
	sim.Run(3 * time.Second)
	_, err := verify(openReplay(t, sim.Replay(), stub.Compile))
	var d *replay.Divergence
	if !errors.As(err, &d) || !errors.Is(err, timeline.ErrDesync) {
		t.Fatal(err)
	}
	if d.Tick != 100 || d.At != 100 || !d.Inferred || len(d.Differences) != 1 || d.Differences[0].Field != "body.x" || d.Differences[0].Object == 0 {
		t.Errorf("%v", d)
	}
}

// TestReplayNamesFieldsByTheNextKeyframe: where more is wrong than a bit, the
// first tick is known by its hash and the fields by the next keyframe.
func TestReplayNamesFieldsByTheNextKeyframe(t *testing.T) {
	sim := simtest.New(t, stubMatch(1, 0, memlink.LAN()))
	sim.Run(4 * time.Second)
	lighter := func(files []world.Source, setup world.Setup) (world.Script, error) {
		setup.GravityX = 1 // another physics, as another version of the program would be
		return stub.Compile(files, setup)
	}
	_, err := verify(openReplay(t, sim.Replay(), lighter))
	var d *replay.Divergence
	if !errors.As(err, &d) || d.Tick != 1 || d.Inferred || d.At <= 1 || d.At > 121 || len(d.Differences) == 0 {
		t.Errorf("%v", err)
	}
}

// TestReplayOfUncommittedTicks: the ticks that are still open, with the states
// that the host thinks they have.
func TestReplayOfUncommittedTicks(t *testing.T) {
	sim := simtest.New(t, stubMatch(2, 2, memlink.Bad()))
	sim.Run(3 * time.Second)
	var out bytes.Buffer
	if err := sim.Host.WriteReplay(&out, nil); err != nil {
		t.Fatal(err)
	}
	r := openReplay(t, out.Bytes(), stub.Compile)
	if done, err := r.Verify(r.Last()); err != nil || done.Ticks != 24 || done.States < 23 || r.Last() != sim.Host.Now() {
		t.Errorf("%+v, %v; it ends at %d, the host at %d", done, err, r.Last(), sim.Host.Now())
	}

	script, err := stub.Compile(nil, stub.Game().Setup)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := r.Against(script, r.Last()); !errors.Is(err, replay.ErrNoTick) {
		t.Errorf("under edited scripts, although it begins under those: %v", err)
	}

	wrong := sim.Host.Now() - 7 // as a rewind that went wrong would leave it
	s := sim.Host.StateAt(wrong)
	slot := s.Run[9]
	right := *s.Body(int(slot))
	s.Body(int(slot)).VX += 3
	s.Body(int(slot)).VY += 4
	out.Reset()
	if err := sim.Host.WriteReplay(&out, nil); err != nil {
		t.Fatal(err)
	}
	*s.Body(int(slot)) = right
	_, err = verify(openReplay(t, out.Bytes(), stub.Compile))
	var d *replay.Divergence
	if !errors.As(err, &d) || d.Tick != wrong || d.At != wrong || len(d.Differences) != 2 || d.Differences[0].Object != s.Objects[slot].ID || d.Differences[0].Field != "body.vx" {
		t.Errorf("%v", err)
	}
}

// fullDisk takes so many bytes.
type fullDisk struct{ left int }

func (d *fullDisk) Write(b []byte) (int, error) {
	if d.left -= len(b); d.left < 0 {
		return 0, io.ErrShortWrite
	}
	return len(b), nil
}

func TestFullDiskEndsTheReplayOnly(t *testing.T) {
	o := stubMatch(1, 1, memlink.LAN())
	rec := replay.NewRecorder(&fullDisk{8_000}, nil)
	o.Host = func(c *host.Config) { c.Recorder = rec }
	sim := simtest.New(t, o)
	sim.Run(3 * time.Second)
	if !errors.Is(rec.Err(), io.ErrShortWrite) || sim.Host.Now() < 170 || sim.Failed() != nil {
		t.Errorf("%v; tick %d, %v", rec.Err(), sim.Host.Now(), sim.Failed())
	}
}

// TestReplayIsSmall: what a second of three players takes, without compression.
func TestReplayIsSmall(t *testing.T) {
	sim := simtest.New(t, stubMatch(1, 3, memlink.LAN()))
	sim.Run(10 * time.Second)
	if n := len(sim.Replay()); n > 10*20_000 {
		t.Errorf("%d bytes for 10 s, before compression", n)
	}
}

// FuzzReplay plays files of which every block is whole and says anything.
func FuzzReplay(f *testing.F) {
	net := memlink.New(1)
	var out bytes.Buffer
	host, err := host.New(host.Config{Bundle: stub.Game(), Compile: stub.Compile, Link: net.Host(), Recorder: replay.NewRecorder(&out, nil)})
	if err != nil {
		f.Fatal(err)
	}
	for i := range 130 {
		if i == 70 {
			if _, err := host.Spawn("Ship", world.Placement{Pose: physics.Pose{X: 3}}, nil); err != nil {
				f.Fatal(err)
			}
		}
		if err := host.Tick(time.Duration(i) * host.TickLength()); err != nil {
			f.Fatal(err)
		}
	}
	file, err := replay.Open(bytes.NewReader(out.Bytes()), int64(out.Len()), nil)
	if err != nil {
		f.Fatal(err)
	}
	var seed []byte
	for i := range file.Blocks {
		raw, err := file.Read(i)
		if err != nil {
			f.Fatal(err)
		}
		seed = append(seed, raw...)
	}
	f.Add(seed)
	f.Add(seed[:len(seed)/2])
	f.Fuzz(func(t *testing.T, raw []byte) {
		var out bytes.Buffer
		w := replay.NewWriter(&out, nil)
		w.Add(bundleRecord(1, stub.Game()))
		w.Add(&replay.Record{Kind: replay.Keyframe})
		for len(raw) > 0 {
			var rec replay.Record
			rest, err := replay.Next(raw, &rec)
			if err != nil {
				break
			}
			if raw = rest; rec.Kind != replay.Bundle {
				w.Add(&rec)
			}
		}
		if w.Flush() != nil {
			return
		}
		again, err := replay.Open(bytes.NewReader(out.Bytes()), int64(out.Len()), nil)
		if err != nil {
			return
		}
		if r, err := replay.NewPlayer(again, stub.Compile); err == nil {
			_, _ = r.Verify(r.Last())
			_ = r.Seek(min(r.Last(), 1000))
		}
	})
}
