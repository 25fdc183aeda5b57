//go:build external

package rules

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// embedder is a module of its own, somewhere else, that uses this one: what a program that embeds
// the library is.
type embedder struct {
	t    *testing.T
	repo repo
	dir  string
}

// outsidePath is the path of the module, of which programs are a package each.
const outsidePath = "outside.example"

func newEmbedder(t *testing.T) embedder {
	o := embedder{t, openRepo(t), t.TempDir()}
	o.run(nil, "go", "mod", "init", outsidePath)
	o.run(nil, "go", "mod", "edit", "-replace", modulePath+"="+o.repo.root)
	return o
}

// copy copies a file into the same folder of the module. What it imports of programs comes from the
// module, too.
func (o embedder) copy(file string) {
	o.t.Helper()
	text, err := os.ReadFile(filepath.Join(o.repo.root, filepath.FromSlash(file)))
	if err != nil {
		o.t.Fatal(err)
	}
	to := o.path(strings.ReplaceAll(file, "testdata/", ""))
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		o.t.Fatal(err)
	}
	own := strings.ReplaceAll(string(text), `"`+modulePath+"/net/streamlink/testdata/", `"`+outsidePath+"/net/streamlink/")
	if err := os.WriteFile(to, []byte(own), 0o644); err != nil {
		o.t.Fatal(err)
	}
}

func (o embedder) path(name string) string { return filepath.Join(o.dir, filepath.FromSlash(name)) }

// run runs a command in the module and returns what it prints.
func (o embedder) run(env []string, name string, args ...string) string {
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

// host runs the program room until the test ends, and returns its address.
func (o embedder) host() (url string) {
	o.t.Helper()
	cmd := exec.Command("./room") // ends with its input
	cmd.Dir, cmd.Stderr = o.dir, os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		o.t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		o.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		o.t.Fatal(err)
	}
	url, err = bufio.NewReader(out).ReadString('\n')
	if err != nil {
		o.t.Fatal(err)
	}
	o.t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			o.t.Error("room:", err)
		}
	})
	return strings.TrimSpace(url)
}

// TestOutsideOfTheModule: whatever embeds the library works in a module of its own: all Examples of
// public packages, the links over TCP and WebSocket, which pass the conformance test, and a client
// over WebSocket, as a program of this system and as WebAssembly in Node.js.
func TestOutsideOfTheModule(t *testing.T) {
	o := newEmbedder(t)
	files := o.repo.exampleFiles()
	for _, file := range append(files, "net/streamlink/tcp_test.go", "net/streamlink/websocket_test.go") {
		o.copy(file)
	}
	for _, file := range o.repo.files {
		if within(path.Dir(file), "net/streamlink/testdata/...") {
			o.copy(file)
		}
	}
	o.run(nil, "go", "mod", "tidy")
	out := o.run(nil, "go", "test", "-v", "./...")
	for _, example := range []string{"Example", "Example_tournament", "Example_renderer", "TestWebSocket"} {
		if !strings.Contains(out, "--- PASS: "+example+" ") {
			t.Errorf("%s did not run", example)
		}
	}
	t.Logf("%d Examples of %d files", strings.Count(out, "--- PASS: Example"), len(files))

	o.run(nil, "go", "build", "-o", "native", "./net/streamlink/headless")
	o.run(nil, "go", "build", "-o", "room", "./net/streamlink/room")
	o.run([]string{"GOOS=js", "GOARCH=wasm"}, "go", "build", "-o", "headless.wasm", "./net/streamlink/headless")
	runner := filepath.Join(strings.TrimSpace(o.run(nil, "go", "env", "GOROOT")), "lib", "wasm", "wasm_exec_node.js")
	url := o.host()
	const ticks = "90"
	for _, command := range [][]string{
		{"./native", url, ticks},
		{"node", "--stack-size=8192", "--require", "./net/streamlink/websocket.js", runner, "headless.wasm", url, ticks},
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
