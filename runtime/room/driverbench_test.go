package room_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/kcplink"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/internal/stub"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/world"
)

// keyPresses measures how long it takes from the moment at which a client samples its controls for
// a tick to the moment at which the host has simulated that tick with them. A key that is pressed
// waits for the next sample first, at most a tick.
type keyPresses struct {
	world.Script
	mu      sync.Mutex
	pressed map[world.Tick]time.Time
	took    []time.Duration
}

// Input presses a button in every other tick, so that each input differs from the
// previous one.
func (k *keyPresses) Input(r world.Reader, _ int) world.Input {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.pressed[r.Tick()+1] = time.Now()
	return world.Input{Buttons: uint32(r.Tick()+1) % 2 * stub.Left}
}

// Call is a hook of the host's script. An input that is applied has reached the host's
// state.
func (k *keyPresses) Call(w world.Actor, h world.Hook, slot int, a *world.Args) error {
	if h == world.ApplyInput {
		k.applied(w.State().Tick, a.Input)
	}
	return k.Script.Call(w, h, slot, a)
}

func (k *keyPresses) applied(t world.Tick, in world.Input) {
	k.mu.Lock()
	defer k.mu.Unlock()
	at, ok := k.pressed[t]
	if ok && in.Buttons == uint32(t)%2*stub.Left { // not the repeated input of the tick before
		k.took = append(k.took, time.Since(at))
		delete(k.pressed, t)
	}
}

// measure waits for so many key presses and returns percentiles, in ms.
func (k *keyPresses) measure(n int) (p50, p99 float64) {
	k.mu.Lock()
	k.took = k.took[:0]
	k.mu.Unlock()
	var took []time.Duration
	for len(took) < n {
		time.Sleep(50 * time.Millisecond)
		k.mu.Lock()
		took = slices.Clone(k.took)
		k.mu.Unlock()
	}
	slices.Sort(took)
	ms := func(part float64) float64 { return took[int(float64(len(took)-1)*part)].Seconds() * 1000 }
	return ms(0.5), ms(0.99)
}

// newKeyPresses makes a host and a client on loopback.
func newKeyPresses(b *testing.B) (*keyPresses, *host.Host, *kcplink.Link, *client.Client) {
	k := &keyPresses{pressed: map[world.Tick]time.Time{}}
	up, err := kcplink.Listen("127.0.0.1:0", kcplink.Options{Protocol: wire.Version})
	if err != nil {
		b.Fatal(err)
	}
	host, err := host.New(host.Config{Bundle: stub.Game(), Link: up, Compile: func(files []world.Source, setup world.Setup) (world.Script, error) {
		k.Script, err = stub.Compile(files, setup)
		return k, err
	}})
	if err != nil {
		b.Fatal(err)
	}
	down, err := kcplink.Dial(up.LocalAddr().String(), kcplink.Options{Protocol: wire.Version})
	if err != nil {
		b.Fatal(err)
	}
	return k, host, up, client.New(client.Config{Link: down, Compile: stub.Compile, Controls: k})
}

// polled calls round every 2 ms, and whenever a packet is ready, as an earlier driver did.
func polled(ctx context.Context, ready <-chan struct{}, round func(now time.Duration)) {
	const every = 2 * time.Millisecond
	began := time.Now()
	timer := time.NewTimer(every)
	for ctx.Err() == nil {
		round(time.Since(began))
		timer.Reset(every)
		select {
		case <-timer.C:
		case <-ready:
		}
	}
}

// BenchmarkKeyToHostState plays on loopback in real time. It measures the time from a sample of the
// controls to the state of the host that has it, in ms, with drivers and with loops that poll every
// 2 ms. Inputs arrive before their tick by the lead of the game and wait for it: the result is the
// time beyond the lead.
func BenchmarkKeyToHostState(b *testing.B) {
	for _, c := range []struct {
		name string
		run  func(ctx context.Context, all *sync.WaitGroup, host *host.Host, up *kcplink.Link, client *client.Client)
	}{
		{"drivers", func(ctx context.Context, all *sync.WaitGroup, host *host.Host, _ *kcplink.Link, client *client.Client) {
			all.Go(func() { _ = room.NewDriver().Run(ctx, host) })
			all.Go(func() { _ = room.NewDriver().Run(ctx, client) })
		}},
		{"polled", func(ctx context.Context, all *sync.WaitGroup, host *host.Host, up *kcplink.Link, client *client.Client) {
			all.Go(func() {
				polled(ctx, up.Ready(), func(now time.Duration) { host.Poll(now); _ = host.Update(now) })
				_ = host.Close(0, "over")
			})
			all.Go(func() {
				polled(ctx, nil, func(now time.Duration) { client.Poll(now); client.Update(now) })
				_ = client.Close(0, "over")
			})
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			k, host, up, client := newKeyPresses(b)
			ctx, stop := context.WithCancel(b.Context())
			var all sync.WaitGroup
			c.run(ctx, &all, host, up, client)
			k.measure(300) // the clocks settle
			p50, p99 := k.measure(max(b.N, 300))
			stop()
			all.Wait()
			lead := stub.Game().Rules.Lead.Seconds() * 1000
			b.ReportMetric(p50, "p50-ms")
			b.ReportMetric(p99, "p99-ms")
			b.ReportMetric(p50-lead, "p50-beyond-lead-ms")
			b.ReportMetric(0, "ns/op")
		})
	}
}
