package host_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/internal/stub"
	"github.com/hindcast/hindcast/runtime/replay"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/world"
)

// noScript returns a world.Compile that returns nothing.
func noScript([]world.Source, world.Setup) (world.Script, error) { return nil, nil }

// TestIncompleteHostConfigIsAnError tests that the error of an incomplete configuration
// names the setting.
func TestIncompleteHostConfigIsAnError(t *testing.T) {
	t.Parallel()
	l := memlink.New(1).Host()
	for want, c := range map[string]struct {
		cfg host.Config
		is  error
	}{
		"host.Config.Bundle is not set: ":                        {host.Config{}, room.ErrConfig},
		"tick_rate = 0":                                          {host.Config{Bundle: &bundle.Bundle{}}, bundle.ErrInvalid},
		"host.Config.Compile is not set: luabind.Compile":        {host.Config{Bundle: stub.Game()}, room.ErrConfig},
		"host.Config.Link is not set: ":                          {host.Config{Bundle: stub.Game(), Compile: stub.Compile}, room.ErrConfig},
		"Compile returned neither a script nor an error":         {host.Config{Bundle: stub.Game(), Compile: noScript, Link: l}, room.ErrConfig},
		"host.Config.Recorder: replay: no io.Writer to write to": {host.Config{Bundle: stub.Game(), Compile: stub.Compile, Link: l, Recorder: replay.NewRecorder(nil, nil)}, replay.ErrNoWriter},
	} {
		h, err := host.New(c.cfg)
		if h != nil || !errors.Is(err, c.is) || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// TestIncompleteHostEventsAreErrors tests that calls of a host without a needed argument
// return an error that names it.
func TestIncompleteHostEventsAreErrors(t *testing.T) {
	t.Parallel()
	h, err := host.New(host.Config{Bundle: stub.Game(), Compile: stub.Compile, Link: memlink.New(1).Host()})
	if err != nil {
		t.Fatal(err)
	}
	next := stub.Game()
	next.Files = []world.Source{{Name: "next.lua"}}
	for _, tick := range []int{0, 3} { // before the first tick, too
		for h.Now() < world.Tick(tick) {
			if err := h.Tick(0); err != nil {
				t.Fatal(err)
			}
		}
		_, _, noBundle := h.Switch(nil, nil)
		_, _, script := h.Switch(next, nil)
		_, class := h.Spawn("", world.Placement{}, nil)
		for what, c := range map[string]struct{ err, want error }{
			"no bundle":   {noBundle, bundle.ErrInvalid},
			"no script":   {script, room.ErrConfig},
			"no class":    {class, world.ErrNoClass},
			"no object":   {h.Set(0, nil), world.ErrRemoved},
			"no owned":    {h.SetOwner(0, 0), world.ErrRemoved},
			"no removed":  {h.Remove(0), world.ErrRemoved},
			"no function": {h.Call(""), world.ErrNoFunction},
			"no writer":   {h.WriteReplay(nil, nil), replay.ErrNoWriter},
		} {
			if !errors.Is(c.err, c.want) {
				t.Errorf("tick %d, %s: %v, want %v", tick, what, c.err, c.want)
			}
		}
		var v room.View
		h.View(&v)
		if h.StateAt(99) != nil || h.Report(0).Role != "host" || h.Players() != 0 {
			t.Errorf("tick %d: %+v", tick, v)
		}
	}
}

// TestIncompleteClientConfigEndsTheClient tests that a client with an incomplete configuration is
// over, with the reason, and that all its methods can be called.
func TestIncompleteClientConfigEndsTheClient(t *testing.T) {
	t.Parallel()
	network := memlink.New(1)
	network.Host()
	for want, cfg := range map[string]client.Config{
		"client.Config.Compile is not set: luabind.Compile": {Link: network.Dial(memlink.Off(), memlink.Off())},
		"client.Config.Link is not set: the network":        {Compile: stub.Compile},
	} {
		for _, kind := range []client.Kind{client.Predictor, client.Spectator, client.InputOnly} {
			cfg.Kind = kind
			c := client.New(cfg)
			var v room.View
			for now := time.Duration(0); now < 100*time.Millisecond; now += 4 * time.Millisecond {
				c.Poll(now)
				c.Update(now)
				c.View(&v)
				c.Say(now, "hello")
				c.Revise(0, 0, world.Input{})
			}
			c.Leave(0)
			if r := c.Report(0); r.Role != "client" || c.State() != nil || c.Bundle() != nil || c.Desync() != nil || c.Playing() || !c.Done() {
				t.Errorf("%s %+v", kind, r)
			}
			if err := c.Err(); !errors.Is(err, room.ErrConfig) || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: got %v, want %q", kind, err, want)
			}
			c.Close(0, "")
		}
	}
	lost := client.New(client.Config{})
	if err := room.NewDriver().Run(t.Context(), lost); !errors.Is(err, room.ErrConfig) {
		t.Errorf("a driver of a client that is over: %v", err)
	}
}

// TestClientsRefuseNoScript tests that a Compile that returns no script ends the
// client, not the program.
func TestClientsRefuseNoScript(t *testing.T) {
	t.Parallel()
	network := memlink.New(1)
	h, err := host.New(host.Config{Bundle: stub.Game(), Compile: stub.Compile, Link: network.Host()})
	if err != nil {
		t.Fatal(err)
	}
	c := client.New(client.Config{Compile: noScript, Link: network.Dial(memlink.Off(), memlink.Off())})
	for now := time.Duration(0); now < time.Second && c.Err() == nil; now += 4 * time.Millisecond {
		h.Poll(now)
		c.Poll(now)
		c.Update(now)
	}
	if !errors.Is(c.Err(), room.ErrConfig) || !strings.Contains(c.Err().Error(), "neither a script nor an error") {
		t.Error(c.Err())
	}
}

// TestIncompleteReplayConfigIsAnError tests the same for replays.
func TestIncompleteReplayConfigIsAnError(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	h, err := host.New(host.Config{Bundle: stub.Game(), Compile: stub.Compile, Link: memlink.New(1).Host(), Recorder: replay.NewRecorder(&out, nil)})
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Tick(0); err != nil {
		t.Fatal(err)
	}
	h.Shutdown(0, "")
	file, err := replay.Open(bytes.NewReader(out.Bytes()), int64(out.Len()), nil)
	if err != nil {
		t.Fatal(err)
	}
	_, noFile := replay.NewPlayer(nil, stub.Compile)
	_, noCompile := replay.NewPlayer(file, nil)
	_, nothing := replay.NewPlayer(file, noScript)
	_, noSource := replay.Open(nil, 0, nil)
	_, empty := replay.Open(bytes.NewReader(nil), 0, nil)
	for want, err := range map[string]error{"no file to play": noFile, "no world.Compile for the scripts": noCompile,
		"neither a script nor an error": nothing, "no io.ReaderAt": noSource, "not a Hindcast replay": empty} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
