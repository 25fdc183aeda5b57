package client_test

import (
	"errors"
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

// jobs are what a client wants done on other goroutines.
type jobs struct {
	waiting  []func()
	compiled int
	err      error // of compiling, once
}

// config makes a client hand over its jobs, and counts what it compiles.
func (j *jobs) config(cfg *client.Config) {
	cfg.Background = func(job func()) { j.waiting = append(j.waiting, job) }
	cfg.Compile = func(files []world.Source, setup world.Setup) (world.Script, error) {
		j.compiled++
		if err := j.err; err != nil {
			j.err = nil
			return nil, err
		}
		return stub.Compile(files, setup)
	}
}

// do does the oldest job, between two calls of the client.
func (j *jobs) do() {
	job := j.waiting[0]
	j.waiting = j.waiting[1:]
	job()
}

// otherGame returns another bundle than the stub's, and its announcement.
func otherGame(number uint32, from world.Tick) (data []byte, a wire.Announce) {
	b := stub.Game()
	b.Game = "another"
	data = b.Encode()
	return data, wire.Announce{Number: number, Tick: from, Hash: bundle.HashOf(data), Bytes: uint32(len(data))}
}

// TestJoiningCompilesInTheBackground: the client compiles nothing by itself. A keyframe that comes meanwhile is kept,
// and not requested again.
func TestJoiningCompilesInTheBackground(t *testing.T) {
	t.Parallel()
	var j jobs
	h := roomtest.ByHandWith(j.config)
	h.LetIn(roomtest.FirstTick(t))
	h.Run(time.Second)
	if len(j.waiting) != 1 || j.compiled != 0 || h.Client.Status() == "playing" || h.Client.Err() != nil {
		t.Fatalf("%d jobs wait, %d bundles are compiled: %s, %v", len(j.waiting), j.compiled, h.Client.Status(), h.Client.Err())
	}
	if due := h.Client.Due(h.Now); due > h.Now+10*time.Millisecond {
		t.Errorf("the client looks again in %s", due-h.Now)
	}
	h.SendBundle() // once more
	asked := h.Heard[wire.KindReady]
	j.do()
	h.Run(time.Second)
	if h.Client.Status() != "playing" || j.compiled != 1 || len(j.waiting) != 0 || h.Heard[wire.KindReady] != asked {
		t.Errorf("%s, %v; %d bundles were compiled, %d jobs wait, %d keyframes were asked for, before %d", h.Client.Status(), h.Client.Err(), j.compiled, len(j.waiting), h.Heard[wire.KindReady], asked)
	}
}

// TestPlayingWhileABundleIsCompiled: the client plays on with the old bundle, also when a bundle arrives that never
// compiles here in time.
func TestPlayingWhileABundleIsCompiled(t *testing.T) {
	t.Parallel()
	var j jobs
	h := roomtest.ByHandWith(j.config)
	h.LetIn(roomtest.FirstTick(t))
	j.do()
	h.Run(time.Second)
	data, a := otherGame(2, 100_000)
	h.Say(link.Control, wire.AppendAnnounce(nil, &a))
	h.Say(link.Bulk, wire.AppendBundle(nil, &wire.Bundle{Hash: a.Hash, Data: bundle.Pack(data)}))
	before := h.Client.Now()
	h.Run(time.Second)
	if len(j.waiting) != 1 || j.compiled != 1 || h.Client.Now() < before+50 {
		t.Errorf("%d jobs wait, %d bundles are compiled, from tick %d on to tick %d", len(j.waiting), j.compiled, before, h.Client.Now())
	}
	j.do()
	h.Run(20 * time.Millisecond)
	if r := h.Client.Report(h.Now); r.Bundle != bundle.Hash(a.Hash).String() || r.Bundles.Fetched != 2 || h.Client.Err() != nil {
		t.Errorf("bundle %s, fetched %+v, %v", r.Bundle, r.Bundles, h.Client.Err())
	}
}

// TestBundleThatIsBack: an edit is taken back while it is compiled. The bundle of before, which the host sends again, is
// larger, and is no mistake of the host.
func TestBundleThatIsBack(t *testing.T) {
	t.Parallel()
	var j jobs
	h := roomtest.ByHandWith(j.config)
	h.LetIn(roomtest.FirstTick(t))
	j.do()
	h.Run(time.Second)
	first, small := stub.Game(), stub.Game()
	small.Game = "s"
	for i, b := range []*bundle.Bundle{small, first} {
		data := b.Encode()
		if i == 1 && len(data) <= len(small.Encode()) {
			t.Fatal("the bundle of before is not larger")
		}
		a := wire.Announce{Number: uint32(2 + i), Tick: 100_000 + world.Tick(i), Hash: bundle.HashOf(data), Bytes: uint32(len(data))}
		h.Say(link.Control, wire.AppendAnnounce(nil, &a))
		h.Say(link.Bulk, wire.AppendBundle(nil, &wire.Bundle{Hash: a.Hash, Data: bundle.Pack(data)}))
		h.Run(100 * time.Millisecond)
	}
	if len(j.waiting) != 1 || h.Client.Err() != nil {
		t.Fatalf("%d jobs wait, %v", len(j.waiting), h.Client.Err())
	}
	j.do()
	h.Run(20 * time.Millisecond)
	if h.Client.Status() != "playing" {
		t.Errorf("%s, %v", h.Client.Status(), h.Client.Err())
	}
}

// TestUnusableBundlesInTheBackground: one from the cache is requested from the host instead, and one that the host sent
// ends the client.
func TestUnusableBundlesInTheBackground(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	j := jobs{err: broken}
	h := roomtest.ByHandWith(func(cfg *client.Config) {
		j.config(cfg)
		data := stub.Game().Encode()
		cfg.Cache = kept{bundle.HashOf(data): data}
	})
	welcome := wire.AppendWelcome(nil, &wire.Welcome{Player: 1, Bundles: []wire.Announce{roomtest.Announcement(1)}})
	h.Say(link.Control, welcome)
	if h.Heard[wire.KindBundleWant] != 0 || len(j.waiting) != 1 {
		t.Fatalf("%d bundles were requested, %d jobs wait", h.Heard[wire.KindBundleWant], len(j.waiting))
	}
	j.do()
	h.Run(20 * time.Millisecond)
	if h.Heard[wire.KindBundleWant] != 1 || h.Client.Err() != nil {
		t.Fatalf("%d bundles were requested, %v", h.Heard[wire.KindBundleWant], h.Client.Err())
	}
	j.err = broken
	h.SendBundle()
	j.do()
	h.Run(20 * time.Millisecond)
	if h.Client.Stage() != room.StageOver || !errors.Is(h.Client.Err(), broken) {
		t.Errorf("%s, %v", h.Client.Stage(), h.Client.Err())
	}
}
