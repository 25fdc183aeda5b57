package simtest_test

import (
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/world"
)

// An onlooker keeps the frames that it was shown until RestoreFrame takes them back.
type onlooker struct {
	t                   *testing.T
	shown               map[world.Tick]uint64
	newest              world.Tick
	backs, kept, begins int
}

func (w *onlooker) RestoreFrame(r world.Reader) {
	s := r.State()
	if was, ok := w.shown[s.Tick]; ok && was != s.Hash() {
		w.t.Errorf("back to tick %d, which was shown as %016x and is %016x", s.Tick, was, s.Hash())
	}
	if s.Tick > w.newest || len(w.shown) == 0 {
		w.begins++
	}
	for t := s.Tick + 1; t <= w.newest; t++ {
		delete(w.shown, t)
	}
	w.backs++
	w.newest = s.Tick
}

func (w *onlooker) FinalizeFrame(r world.Reader) {
	s := r.State()
	if s.Tick < w.newest {
		w.t.Errorf("tick %d is shown after %d without going back", s.Tick, w.newest)
	}
	w.shown[s.Tick], w.newest = s.Hash(), s.Tick
}

// confirmed compares the last frame of a tick that was shown and not taken back with
// the host's state of that tick.
func (w *onlooker) confirmed(t world.Tick, hash uint64) {
	if was, ok := w.shown[t]; ok {
		w.kept++
		if was != hash {
			w.t.Errorf("tick %d was shown as %016x, never taken back, and is %016x", t, was, hash)
		}
		delete(w.shown, t)
	}
}

// TestFinalizedFramesMatchTheClient tests that a program that follows RestoreFrame and
// FinalizeFrame has the frames of the client: on an average line, after a long cut, and in
// a client that returns.
func TestFinalizedFramesMatchTheClient(t *testing.T) {
	t.Parallel()
	w := &onlooker{t: t, shown: map[world.Tick]uint64{}}
	sim := simtest.New(t, simtest.Options{Seed: 61, Clients: 3, Profile: memlink.Average(), Bundle: arena(t), Compile: compile, Controls: chasers(t),
		Client: func(i int, cfg *client.Config) {
			if i == 0 {
				cfg.Frames = w
				before := cfg.Confirmed
				cfg.Confirmed = func(t world.Tick, hash uint64) { before(t, hash); w.confirmed(t, hash) }
			}
		}})
	sim.Run(8 * time.Second)
	sim.Net.Cut(0, true)
	sim.Run(7 * time.Second)
	sim.Net.Cut(0, false)
	sim.Run(5 * time.Second)
	sim.Return(0)
	sim.Run(5 * time.Second)
	sim.Drain()
	sim.AgreeOnHashes()
	if w.backs < 100 || w.kept < 60 || w.begins < 1 || w.newest != sim.Clients[0].Now() {
		t.Errorf("went back %d times, %d ticks shown were never taken back, began %d times; tick %d of %d", w.backs, w.kept, w.begins, w.newest, sim.Clients[0].Now())
	}
}
