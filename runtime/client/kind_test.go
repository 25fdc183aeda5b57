package client_test

import (
	"errors"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/internal/roomtest"
	"github.com/hindcast/hindcast/runtime/internal/stub"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/world"
)

// noFrames shows no frames.
type noFrames struct{}

func (noFrames) RestoreFrame(world.Reader)  {}
func (noFrames) FinalizeFrame(world.Reader) {}

// TestKindsAtTheirPresent tests what clients of each kind answer when they play: all are at their
// present and know the game, only a predictor can be read, and an input-only client has no bodies
// to draw.
func TestKindsAtTheirPresent(t *testing.T) {
	t.Parallel()
	for kind, want := range map[client.Kind]struct{ reads, draws bool }{
		client.Predictor: {reads: true, draws: true}, client.Spectator: {draws: true}, client.InputOnly: {},
	} {
		host, _, network := roomtest.NewHost(t, nil)
		c := client.New(client.Config{Kind: kind, Link: network.Dial(memlink.LAN(), memlink.LAN()), Compile: stub.Compile, Controls: roomtest.Wanderers(0)})
		if _, ok := c.Reader(); ok || c.Playing() {
			t.Errorf("%s: reads or plays before it has joined", kind)
		}
		for now := time.Duration(0); now < 3*time.Second; now += 4 * time.Millisecond {
			host.Poll(now)
			if err := host.Update(now); err != nil {
				t.Fatal(err)
			}
			c.Poll(now)
			c.Update(now)
		}
		var v room.View
		c.View(&v)
		_, reads := c.Reader()
		report := c.Report(3 * time.Second)
		if !c.Playing() || v.Game == "" || v.Game != report.Game || report.Inputs.Sent == 0 || v.Lead == 0 {
			t.Errorf("%s: playing is %v, %d inputs were sent, the view has game %q and a lead of %v", kind, c.Playing(), report.Inputs.Sent, v.Game, v.Lead)
		}
		if draws := len(v.Bodies) > 0; reads != want.reads || draws != want.draws || (report.Bytes["snapshots"] > 0) != (kind == client.Spectator) {
			t.Errorf("%s: reads %v, draws %v; %d bytes of snapshots", kind, reads, draws, report.Bytes["snapshots"])
		}
	}
}

// TestKindStaysRefused tests that a client with settings that its kind does not support is over
// from the beginning, and stays so when its link opens.
func TestKindStaysRefused(t *testing.T) {
	t.Parallel()
	net := memlink.New(1)
	host := net.Host()
	c := client.New(client.Config{Kind: client.Spectator, Frames: noFrames{}, Link: net.Dial(memlink.Off(), memlink.Off()), Compile: stub.Compile})
	messages := 0
	for now := time.Duration(0); now < 200*time.Millisecond; now += 4 * time.Millisecond {
		host.Poll(now, func(ev link.Event) {
			if ev.Kind == link.Message {
				messages++
			}
		})
		c.Poll(now)
		c.Update(now)
	}
	if c.Stage() != room.StageOver || !errors.Is(c.Err(), client.ErrKind) || messages != 0 {
		t.Errorf("%v, %v, after %d messages to the host", c.Stage(), c.Err(), messages)
	}
}
