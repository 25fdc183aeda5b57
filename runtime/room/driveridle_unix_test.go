//go:build unix

package room_test

import (
	"context"
	"flag"
	"sync"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/internal/stub"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest/figures"
)

var idleRooms = flag.Int("idlerooms", 200, "how many rooms BenchmarkDriverIdle runs at once")

// BenchmarkDriverIdle runs hosts without players and objects in real time, for three seconds an
// iteration: with a driver each, and with loops that wake every 2 ms.
func BenchmarkDriverIdle(b *testing.B) {
	for _, c := range []struct {
		name string
		run  func(ctx context.Context, host *host.Host)
	}{
		{"drivers", func(ctx context.Context, host *host.Host) { _ = room.NewDriver().Run(ctx, host) }},
		{"polled", func(ctx context.Context, host *host.Host) {
			polled(ctx, nil, func(now time.Duration) { host.Poll(now); _ = host.Update(now) })
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			hosts := make([]*host.Host, *idleRooms)
			game := stub.Game()
			game.Setup.Walls, game.Setup.Spawns = nil, nil
			ctx, stop := context.WithCancel(b.Context())
			var all sync.WaitGroup
			for i := range hosts {
				host, err := host.New(host.Config{Bundle: game, Compile: stub.Compile, Link: memlink.New(uint64(i)).Host()})
				if err != nil {
					b.Fatal(err)
				}
				hosts[i] = host
				all.Go(func() { c.run(ctx, host) })
			}
			time.Sleep(6 * time.Second) // histories fill
			const span = 3 * time.Second
			before := figures.ProcessTime(b)
			for range b.N {
				time.Sleep(span)
			}
			took := figures.ProcessTime(b) - before
			ticks := float64(b.N*len(hosts)) * float64(span/game.TickLength())
			stop()
			all.Wait()
			b.ReportMetric(float64(took.Nanoseconds())/ticks, "cpu-ns/room-tick")
			b.ReportMetric(0, "ns/op")
		})
	}
}
