package linkmux_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/net/kcplink"
	"github.com/hindcast/hindcast/net/linkmux"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/world"
)

const rocket = `
Rocket = object "Rocket" { input = { Burn = "bool" }, body = { shape = { circle = 0.5 } } }
function Rocket:applyInput(input) self:setForce(0, input.Burn and 20 or 0) end
function onJoin(player) spawn("Rocket", { owner = player }) end
`

// burn holds the first button down.
type burn struct{}

func (burn) Input(world.Reader, int) world.Input { return world.Input{Buttons: 1} }

// Matches in rooms of one socket, each driven by a goroutine of its own. One of them ends
// early, and the others go on.
func TestMatchesOnOneSocket(t *testing.T) {
	t.Parallel()
	options := kcplink.Options{Protocol: wire.Version}
	shared, err := kcplink.Listen("127.0.0.1:0", options)
	if err != nil {
		t.Fatal(err)
	}
	address := shared.LocalAddr().String()
	mux := linkmux.New(shared, linkmux.Options{})
	running, stop := context.WithCancel(context.Background())
	var all sync.WaitGroup
	all.Go(func() { _ = mux.Run(running) })
	defer all.Wait()
	defer stop()

	const rooms = 3
	var matches sync.WaitGroup
	firstEnded := make(chan struct{})
	for i := range rooms {
		matches.Go(func() {
			name := fmt.Sprintf("room %d", i)
			ctx, end := context.WithCancel(context.Background())
			defer end()
			ended := hostRoom(ctx, t, mux, name)
			if i > 0 {
				<-firstEnded
			}
			playIn(ctx, t, address, name, options)
			end()
			<-ended
			if i == 0 {
				close(firstEnded)
			}
		})
	}
	matches.Wait()
	// Datagrams for a room that is slow to poll may be dropped, as on a busy machine.
	if got := mux.Stats(); got.Refused+got.Stalled > 0 {
		t.Errorf("counted %+v", got)
	}
}

// hostRoom opens a room and runs its host until ctx is done.
func hostRoom(ctx context.Context, t *testing.T, mux *linkmux.Mux, name string) (ended chan struct{}) {
	ended = make(chan struct{})
	r, err := mux.Open(name)
	if err != nil {
		t.Error(err)
		close(ended)
		return ended
	}
	game := bundle.New(name, world.Source{Name: "game.lua", Text: rocket})
	host, err := host.New(host.Config{Bundle: game, Compile: luabind.Compile, Link: r})
	if err != nil {
		t.Error(err)
		close(ended)
		return ended
	}
	go func() {
		defer close(ended)
		if err := room.NewDriver().Run(ctx, host); err != nil {
			t.Error(err)
		}
	}()
	return ended
}

// playIn plays with two clients until both have confirmed half a second.
func playIn(ctx context.Context, t *testing.T, address, r string, options kcplink.Options) {
	ctx, stop := context.WithTimeout(ctx, time.Minute)
	defer stop()
	const enough = 30
	var playing, confirmed sync.WaitGroup
	confirmed.Add(2)
	for i := range 2 {
		l, err := kcplink.Dial(address, options)
		if err != nil {
			t.Error(err)
			return
		}
		var reached sync.Once
		client := client.New(client.Config{Link: linkmux.Join(l, r), Compile: luabind.Compile, Controls: burn{},
			Confirmed: func(tick world.Tick, _ uint64) {
				if tick >= enough {
					reached.Do(confirmed.Done)
				}
			}})
		playing.Go(func() {
			err := room.NewDriver().Run(ctx, client)
			if err != nil || client.Confirmed() < enough || client.Desync() != nil {
				t.Errorf("%s, client %d: confirmed up to tick %d, %v, %v", r, i, client.Confirmed(), client.Desync(), err)
			}
			reached.Do(confirmed.Done)
		})
	}
	confirmed.Wait()
	stop()
	playing.Wait()
}
