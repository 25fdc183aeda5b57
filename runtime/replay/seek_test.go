package replay_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/internal/stub"
	"github.com/hindcast/hindcast/runtime/replay"
	"github.com/hindcast/hindcast/world"
)

// longMatch returns the replay of a room that nobody plays in.
func longMatch(tb testing.TB, ticks int) []byte {
	tb.Helper()
	var out bytes.Buffer
	game := stub.Game()
	game.Setup.TickRate, game.Setup.Substeps = 60, 1
	host, err := host.New(host.Config{Bundle: game, Compile: stub.Compile, Link: memlink.New(1).Host(), Recorder: replay.NewRecorder(&out, nil)})
	if err != nil {
		tb.Fatal(err)
	}
	for i := range ticks {
		if err := host.Tick(time.Duration(i) * host.TickLength()); err != nil {
			tb.Fatal(err)
		}
	}
	host.Shutdown(0, "")
	return out.Bytes()
}

// counted counts what is read.
type counted struct {
	*bytes.Reader
	bytes int
}

func (c *counted) ReadAt(b []byte, at int64) (int, error) {
	c.bytes += len(b)
	return c.Reader.ReadAt(b, at)
}

// TestSeekingReadsLittle: what lies between two keyframes, however long the match was.
func TestSeekingReadsLittle(t *testing.T) {
	data := longMatch(t, 6000)
	src := &counted{Reader: bytes.NewReader(data)}
	file, err := replay.Open(src, int64(len(data)), nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := replay.NewPlayer(file, stub.Compile)
	if err != nil {
		t.Fatal(err)
	}
	perSecond := len(data) / 100
	for _, at := range []world.Tick{5999, 17, 3141, 2718} {
		src.bytes = 0
		if err := r.Seek(at); err != nil {
			t.Fatal(err)
		}
		if src.bytes > 5*perSecond || src.bytes == 0 {
			t.Errorf("to tick %d it reads %d bytes; a second has %d", at, src.bytes, perSecond)
		}
	}
}

// BenchmarkSeekInAnHour seeks anywhere in a match of 216,000 ticks.
func BenchmarkSeekInAnHour(b *testing.B) {
	data := longMatch(b, 216_000)
	worst := time.Duration(0)
	rng := rand.New(rand.NewPCG(1, 2))
	for b.Loop() {
		begin := time.Now()
		r := openReplay(b, data, stub.Compile)
		if err := r.Seek(1 + world.Tick(rng.IntN(int(r.Last())))); err != nil {
			b.Fatal(err)
		}
		worst = max(worst, time.Since(begin))
	}
	b.ReportMetric(math.Round(worst.Seconds()*1e6)/1e3, "worst-ms")
}
