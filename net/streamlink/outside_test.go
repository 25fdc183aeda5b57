//go:build external

package streamlink_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/net/streamlink"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/world"
)

// outside is a module of its own, somewhere else, that uses this one.
type outside struct {
	t   *testing.T
	dir string
}

func newOutside(t *testing.T) outside {
	clone, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	o := outside{t, t.TempDir()}
	o.run(nil, "go", "mod", "init", "outside.example")
	o.run(nil, "go", "mod", "edit", "-replace", "github.com/hindcast/hindcast="+clone)
	return o
}

// copy copies a file into a folder of the module.
func (o outside) copy(file, folder string) {
	o.t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		o.t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(o.dir, folder), 0o755); err != nil {
		o.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(o.dir, folder, filepath.Base(file)), text, 0o644); err != nil {
		o.t.Fatal(err)
	}
}

// run runs a command in the module and returns what it prints.
func (o outside) run(env []string, name string, args ...string) string {
	o.t.Helper()
	cmd := exec.CommandContext(o.t.Context(), name, args...)
	cmd.Dir = o.dir
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		o.t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

const rocket = `
Rocket = object "Rocket" { input = { Burn = "bool" }, body = { shape = { circle = 0.5 } } }
function Rocket:applyInput(input) self:setForce(0, input.Burn and 20 or 0) end
function onJoin(player) spawn("Rocket", { owner = player }) end
`

// hostOnWebSocket runs a room until the test ends and returns its address.
func hostOnWebSocket(t *testing.T) (url string) {
	l := streamlink.NewHost(streamlink.Options{Protocol: wire.Version})
	server := httptest.NewServer(handler(l))
	t.Cleanup(server.Close)
	game := &bundle.Bundle{Game: "rocket", Setup: bundle.DefaultSetup(), Rules: bundle.DefaultRules(),
		Files: []world.Source{{Name: "game.lua", Text: rocket}}}
	host, err := runtime.NewHost(runtime.HostConfig{Bundle: game, Compile: luabind.Compile, Link: l})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ran := make(chan error)
	go func() { ran <- runtime.NewDriver().Host(ctx, host) }()
	t.Cleanup(func() {
		stop()
		if err := <-ran; err != nil {
			t.Error(err)
		}
	})
	return "ws" + strings.TrimPrefix(server.URL, "http")
}

// The links over TCP and WebSocket pass the conformance test in a module outside of this
// one. A client there plays over WebSocket until it has confirmed a second and a half, as
// a program of this system, and as WebAssembly in Node.js.
func TestOutsideOfTheModule(t *testing.T) {
	o := newOutside(t)
	o.copy("tcp_test.go", "links")
	o.copy("websocket_test.go", "links")
	o.copy("testdata/headless/main.go", "headless")
	o.copy("testdata/websocket.js", ".")
	o.run(nil, "go", "mod", "tidy")
	o.run(nil, "go", "vet", "./...")
	o.run(nil, "go", "test", "./links")
	o.run(nil, "go", "build", "-o", "native", "./headless")
	o.run([]string{"GOOS=js", "GOARCH=wasm"}, "go", "build", "-o", "headless.wasm", "./headless")
	runner := filepath.Join(strings.TrimSpace(o.run(nil, "go", "env", "GOROOT")), "lib", "wasm", "wasm_exec_node.js")

	url := hostOnWebSocket(t)
	const ticks = "90"
	for _, command := range [][]string{
		{"./native", url, ticks},
		{"node", "--stack-size=8192", "--require", "./websocket.js", runner, "headless.wasm", url, ticks},
	} {
		began := time.Now()
		out := o.run(nil, command[0], command[1:]...)
		var tick int
		var agrees bool
		if _, err := fmt.Sscanf(out, "confirmed tick %d, %t", &tick, &agrees); err != nil || tick < 90 || !agrees {
			t.Errorf("%v: %v; it prints\n%s", command, err, out)
		}
		t.Logf("%s: %s in %v", command[0], strings.TrimSpace(out), time.Since(began))
	}
}
