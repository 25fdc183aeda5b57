//go:build external && unix

package streamlink_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/net/streamlink"
	"github.com/hindcast/hindcast/net/streamlink/testdata/socket"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/world"
)

// page runs the client in a browser and posts what it prints. Without stays empty, or takes something from it before.
const page = `<!doctype html><script src="wasm_exec.js"></script><script>
WITHOUT
let said = '';
globalThis.console.log = (line) => { said += line + '\n'; };
const go = new Go();
go.argv = ['headless', 'ws://' + location.host + '/room', 'TICKS'];
WebAssembly.instantiateStreaming(fetch('headless.wasm'), go.importObject)
  .then((r) => go.run(r.instance)).catch((e) => { said += e; })
  .finally(() => fetch('said', { method: 'POST', body: said }));
</script>`

// wasmClient is the client headless, built for js/wasm, and a host that it can play on.
type wasmClient struct {
	dir  string // has headless.wasm and what Go needs to run it
	url  string // of the server, http
	said chan string
}

// wasmTicks is how many ticks a client confirms before it ends.
const wasmTicks = "90"

func newWasmClient(t *testing.T) *wasmClient {
	t.Helper()
	c := &wasmClient{dir: t.TempDir(), said: make(chan string, 1)}
	build := exec.Command("go", "build", "-o", filepath.Join(c.dir, "headless.wasm"), "./testdata/headless")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm"), filepath.Join(c.dir, "go")); err != nil {
		t.Fatal(err)
	}
	// A browser that starts on a busy machine is silent for long.
	l := streamlink.NewHost(streamlink.Options{Protocol: wire.Version, Timeout: time.Minute, DialTimeout: time.Minute})
	game := bundle.New("rocket", world.Source{Name: "game.lua", Text: `
Rocket = object "Rocket" { input = { Burn = "bool" }, body = { shape = { circle = 0.5 } } }
function Rocket:applyInput(input) self:setForce(0, input.Burn and 20 or 0) end
function onJoin(player) spawn("Rocket", { owner = player }) end`})
	h, err := host.New(host.Config{Bundle: game, Compile: luabind.Compile, Link: l})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- room.NewDriver().Run(ctx, h) }()
	server := httptest.NewServer(c.mux(socket.Handler(l)))
	c.url = server.URL
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		server.CloseClientConnections()
		server.Close()
	})
	return c
}

func (c *wasmClient) mux(sockets http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/room", sockets)
	for path, without := range map[string]string{"/with": "", "/without": "delete globalThis.WebSocket;"} {
		text := strings.NewReplacer("WITHOUT", without, "TICKS", wasmTicks).Replace(page)
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, text) })
	}
	mux.HandleFunc("/wasm_exec.js", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFile(w, r, filepath.Join(c.dir, "go", "wasm_exec.js"))
	})
	mux.HandleFunc("/headless.wasm", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFile(w, r, filepath.Join(c.dir, "headless.wasm"))
	})
	mux.HandleFunc("/said", func(_ http.ResponseWriter, r *http.Request) {
		said, _ := io.ReadAll(io.LimitReader(r.Body, 1<<20))
		c.said <- string(said)
	})
	return mux
}

// inNode runs the client in Node.js after a script, and returns what it prints.
func (c *wasmClient) inNode(t *testing.T, first string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "node", "--stack-size=8192", "--require", first,
		filepath.Join(c.dir, "go", "wasm_exec_node.js"), filepath.Join(c.dir, "headless.wasm"),
		"ws"+strings.TrimPrefix(c.url, "http")+"/room", wasmTicks)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v", err)
	}
	return string(out)
}

// inChromium opens a page of the server, and returns what the client prints.
func (c *wasmClient) inChromium(t *testing.T, path string) string {
	t.Helper()
	home := t.TempDir()
	cmd := exec.Command("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-quic",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
		"--user-data-dir="+filepath.Join(home, "profile"), "--remote-debugging-port=0", c.url+path)
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_CACHE_HOME="+home)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	if err := cmd.Start(); err != nil {
		t.Fatalf("this test needs chromium: %v", err)
	}
	defer func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // it and its children
		_ = cmd.Wait()
	}()
	select {
	case said := <-c.said:
		return said
	case <-time.After(time.Minute):
		t.Fatalf("the page %s says nothing; %s", path, complaints.String())
		return ""
	}
}

// TestClientInNodeAndChromium: the client over WebSocket plays in Node.js and in Chromium, confirms ticks there, and
// ends with an error, not with a panic, where there is no WebSocket.
func TestClientInNodeAndChromium(t *testing.T) {
	c := newWasmClient(t)
	lacks := filepath.Join(c.dir, "lacks.js")
	if err := os.WriteFile(lacks, []byte("delete globalThis.WebSocket;"), 0o600); err != nil {
		t.Fatal(err)
	}
	for where, said := range map[string]string{
		"node":     c.inNode(t, "./testdata/websocket.js"),
		"chromium": c.inChromium(t, "/with"),
	} {
		var tick int
		var agrees bool
		if _, err := fmt.Sscanf(said, "confirmed tick %d, %t", &tick, &agrees); err != nil || tick < 90 || !agrees {
			t.Errorf("%s: %v; it prints\n%s", where, err, said)
		}
	}
	for where, said := range map[string]string{"node": c.inNode(t, lacks), "chromium": c.inChromium(t, "/without")} {
		if want := "confirmed tick 0, true, connection closed: dialing failed: this system has no WebSocket"; !strings.HasPrefix(said, want) {
			t.Errorf("%s without WebSocket prints\n%s\nand not\n%s", where, said, want)
		}
	}
}
