package host_test

import (
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/internal/roomtest"
	"github.com/hindcast/hindcast/runtime/internal/stub"
)

// TestCatchUpLimitOfAHost: a host that stands still for a second runs all of its ticks afterwards, or skips them,
// as the setting of its bundle says, and the report counts what it skips. An empty room rests 200 ms of it.
func TestCatchUpLimitOfAHost(t *testing.T) {
	for _, players := range []int{0, 1} {
		for limit, skips := range map[time.Duration]bool{0: true, bundle.DefaultCatchUp: true, 900 * time.Millisecond: players > 0, 2 * time.Second: false, bundle.MaxCatchUp: false} {
			host, l, network := roomtest.NewHost(t, func(cfg *host.Config) { cfg.Bundle.Rules.CatchUp = limit })
			for range players {
				l.Others = append(l.Others, client.New(client.Config{Link: network.Dial(memlink.Off(), memlink.Off()), Compile: stub.Compile}))
			}
			now := time.Duration(0)
			update := func() {
				if err := host.Update(now); err != nil {
					t.Fatal(err)
				}
				host.Poll(now)
			}
			for ; now < 2*time.Second; now += time.Millisecond {
				update()
			}
			now += time.Second
			for due := host.Due(now); due <= now; due = host.Due(now) {
				update()
			}
			late, ticks := host.Report(now), int(now/host.TickLength())
			if all := int(host.Now()) >= ticks-13; all == skips || (late.SkippedMS == 0) == skips || host.Players() != players {
				t.Errorf("%d players, catch_up %v: tick %d of %d, skipped %v ms", host.Players(), limit, host.Now(), ticks, late.SkippedMS)
			}
		}
	}
}
