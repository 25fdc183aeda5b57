package runtime_test

import (
	"errors"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime"
	"github.com/hindcast/hindcast/runtime/internal/stub"
	"github.com/hindcast/hindcast/world"
)

// noFrames shows no frames.
type noFrames struct{}

func (noFrames) RestoreFrame(world.Reader)  {}
func (noFrames) FinalizeFrame(world.Reader) {}

// TestKindStaysRefused tests that a client with settings that its kind does not support is over
// from the beginning, and stays so when its link opens.
func TestKindStaysRefused(t *testing.T) {
	t.Parallel()
	net := memlink.New(1)
	host := net.Host()
	c := runtime.NewClient(runtime.ClientConfig{Kind: runtime.Spectator, Frames: noFrames{}, Link: net.Dial(memlink.Off(), memlink.Off()), Compile: stub.Compile})
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
	if c.Stage() != runtime.StageOver || !errors.Is(c.Err(), runtime.ErrKind) || messages != 0 {
		t.Errorf("%v, %v, after %d messages to the host", c.Stage(), c.Err(), messages)
	}
}
