package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/link/linktest"
	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	linktest.SideBySide() // programs play in real time
	testscript.Main(tests{m}, map[string]func(){"client": main})
}

// tests are the tests of this package.
type tests struct{ *testing.M }

// atEnd ends what the tests share, the newest first.
var atEnd []func()

// Run runs the tests, with a folder for what they share.
func (ts tests) Run() int {
	defer func() {
		for _, end := range slices.Backward(atEnd) {
			end()
		}
	}()
	dir, err := os.MkdirTemp("", "hindcast-host")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	hostFolder = dir
	return ts.M.Run()
}

// TestPrograms plays the stories in testdata/script with the real programs.
func TestPrograms(t *testing.T) {
	t.Parallel()
	bin := buildHost(t)
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("PATH", bin+string(filepath.ListSeparator)+env.Getenv("PATH"))
			env.Setenv("HINDCAST_OPEN", "false")
			env.Values["room"] = &hostBeside{}
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits": exits, "room": startTestRoom, "roomexits": roomExits, "stoproom": stopRoom, "killroom": killRoom, "cut": cut, "json": jsonCompare, "samehashes": sameHashes,
			"waitlog": waitLog, "waithashes": waitHashes, "inputtick": inputTick, "spoil": spoil, "signal": signal, "save": save, "capture": capture,
		},
	})
}

// save FILE PATH: replaces a file of a game that runs, at once. A file that is written in two steps counts as saved by
// half on a machine on which more than a second passes between them.
func save(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: save FILE PATH")
	}
	whole := ts.MkAbs("saved")
	ts.Check(os.WriteFile(whole, []byte(ts.ReadFile(args[0])), 0o600))
	ts.Check(os.Rename(whole, ts.MkAbs(args[1])))
}

// capture NAME FILE REGEXP sets an environment variable to what the group of the last match in a file has.
func capture(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: capture NAME FILE REGEXP")
	}
	all := regexp.MustCompile(args[2]).FindAllStringSubmatch(ts.ReadFile(args[1]), -1)
	if len(all) == 0 {
		ts.Fatalf("%s has no %s", args[1], args[2])
	}
	ts.Setenv(args[0], all[len(all)-1][1])
}

// buildHost returns the folder of the other program, which is built once for all tests.
func buildHost(t *testing.T) string {
	t.Helper()
	if err := hostBuilt(); err != nil {
		t.Fatal(err)
	}
	return hostFolder
}

var hostFolder string // set before the tests run

// environment is that of before the tests, which may set another folder for the cache of builds.
var environment = os.Environ()

var hostBuilt = sync.OnceValue(func() error {
	cmd := exec.Command("go", "build", "-o", hostFolder, "../host")
	cmd.Env = environment
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("building host: %w\n%s", err, out)
	}
	return nil
})

// exits CODE PROGRAM ARGS...: the program must end with that code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARGS...")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := 0
	if exit, ok := err.(*exec.ExitError); ok {
		code = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("%s: exit code %d, want %s", args[1], code, args[0])
	}
}

// hostBeside is the host that runs beside a script.
type hostBeside struct {
	cmd  *exec.Cmd
	done chan struct{}
}

// startTestRoom: room ARGS... starts a host on a free port and sets $ADDR.
func startTestRoom(ts *testscript.TestScript, neg bool, args []string) {
	r := ts.Value("room").(*hostBeside)
	ctx, cancel := context.WithCancel(context.Background())
	host, err := exec.LookPath(filepath.Join(strings.Split(ts.Getenv("PATH"), string(filepath.ListSeparator))[0], "host"))
	ts.Check(err)
	r.cmd = exec.CommandContext(ctx, host, append([]string{"-listen", "127.0.0.1:0", "-http", ""}, args...)...)
	r.cmd.Dir = ts.Getenv("WORK")
	r.cmd.Stderr, err = os.Create(ts.MkAbs("host.log"))
	ts.Check(err)
	out, err := r.cmd.StdoutPipe()
	ts.Check(err)
	ts.Check(r.cmd.Start())
	r.done = make(chan struct{})
	ts.Defer(func() { cancel(); <-r.done })
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if addr, ok := strings.CutPrefix(lines.Text(), "listening on "); ok {
			ts.Setenv("ADDR", addr)
			go r.drain(lines)
			return
		}
	}
	r.drain(lines)
	ts.Fatalf("the host did not say where it listens:\n%s", ts.ReadFile("host.log"))
}

// drain reads what the host prints until it ends.
func (r *hostBeside) drain(lines *bufio.Scanner) {
	for lines.Scan() {
		continue
	}
	_ = r.cmd.Wait() // its code is in ProcessState
	close(r.done)
}

// roomExits CODE: the host must end, with that code.
func roomExits(ts *testscript.TestScript, neg bool, args []string) {
	r := ts.Value("room").(*hostBeside)
	select {
	case <-r.done:
	case <-time.After(patience):
		ts.Fatalf("the host does not end")
	}
	if code := strconv.Itoa(r.cmd.ProcessState.ExitCode()); code != args[0] {
		ts.Fatalf("host: exit code %s, want %s\n%s", code, args[0], ts.ReadFile("host.log"))
	}
}

// stopRoom: stoproom CODE interrupts the host, which must end with that code.
func stopRoom(ts *testscript.TestScript, neg bool, args []string) {
	ts.Check(ts.Value("room").(*hostBeside).cmd.Process.Signal(os.Interrupt))
	roomExits(ts, neg, args)
}

// killRoom: killroom ends the host without a chance to tidy up.
func killRoom(ts *testscript.TestScript, neg bool, args []string) {
	r := ts.Value("room").(*hostBeside)
	ts.Check(r.cmd.Process.Kill())
	<-r.done
}

// cut FILE N: the file loses its last N bytes.
func cut(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: cut FILE N")
	}
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	name := ts.MkAbs(args[0])
	info, err := os.Stat(name)
	ts.Check(err)
	ts.Check(os.Truncate(name, info.Size()-int64(n)))
}

// jsonCompare: json FILE PATH OP NUMBER|TEXT; PATH as inputs.late_rewound.
func jsonCompare(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 4 {
		ts.Fatalf("usage: json FILE PATH OP VALUE")
	}
	var v any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &v))
	for _, name := range strings.Split(args[1], ".") {
		switch x := v.(type) {
		case map[string]any:
			v = x[name]
		case []any:
			i, err := strconv.Atoi(name)
			ts.Check(err)
			v = x[i]
		}
	}
	if !compare(ts, v, args[2], args[3]) {
		ts.Fatalf("%s: %s is %v, want %s %s", args[0], args[1], v, args[2], args[3])
	}
}

func compare(ts *testscript.TestScript, v any, op, want string) bool {
	if op == "is" {
		return fmt.Sprint(v) == want
	}
	x, ok := v.(float64)
	y, err := strconv.ParseFloat(want, 64)
	if !ok || err != nil {
		ts.Fatalf("%v %s %s: not numbers", v, op, want)
	}
	switch op {
	case ">=":
		return x >= y
	case "<=":
		return x <= y
	case "=":
		return x == y
	}
	ts.Fatalf("no such comparison: %s", op)
	return false
}

// sameHashes FILE FILE LEAST: every tick that both name has the same hash,
// and at least LEAST are named by both.
func sameHashes(ts *testscript.TestScript, neg bool, args []string) {
	a, b := hashLines(ts.ReadFile(args[0])), hashLines(ts.ReadFile(args[1]))
	least, err := strconv.Atoi(args[2])
	ts.Check(err)
	common, differ := 0, 0
	for tick, hash := range a {
		if other, ok := b[tick]; ok {
			common++
			if other != hash {
				differ++
			}
		}
	}
	if common < least || (differ > 0) != neg {
		ts.Fatalf("%d ticks in both files, %d of them with different hashes", common, differ)
	}
}

func hashLines(text string) map[string]string {
	out := map[string]string{}
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		tick, hash, _ := strings.Cut(line, " ")
		out[tick] = hash
	}
	return out
}

// await waits until is reports true, for a minute at most, and reports whether it has.
func await(is func() bool) bool {
	for end := time.Now().Add(patience); !is(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			return is()
		}
	}
	return true
}

// waitLog: waitlog TEXT [N] waits until the host's log has the text, N times (1).
func waitLog(ts *testscript.TestScript, neg bool, args []string) {
	least := 1
	if len(args) > 1 {
		var err error
		least, err = strconv.Atoi(args[1])
		ts.Check(err)
	}
	if !await(func() bool { return strings.Count(ts.ReadFile("host.log"), args[0]) >= least }) {
		ts.Fatalf("the host did not log %q %d times:\n%s", args[0], least, ts.ReadFile("host.log"))
	}
}

// waitHashes: waithashes FILE N waits until a file of -hashes has N lines more than now.
func waitHashes(ts *testscript.TestScript, neg bool, args []string) {
	more, err := strconv.Atoi(args[1])
	ts.Check(err)
	lines := func() int {
		text, _ := os.ReadFile(ts.MkAbs(args[0])) // the program may not have opened it yet
		return strings.Count(string(text), "\n")
	}
	before := lines()
	if !await(func() bool { return lines() >= before+more }) {
		ts.Fatalf("%s had %d lines, and has %d, want %d more", args[0], before, lines(), more)
	}
}

// inputTick: inputtick sets $TICK to a tick that has an input in the dump of a replay that was printed last, as has
// the next one, $NEXT.
func inputTick(ts *testscript.TestScript, neg bool, args []string) {
	has := map[int]bool{}
	for _, m := range rxInputTick.FindAllStringSubmatch(ts.ReadFile("stdout"), -1) {
		tick, err := strconv.Atoi(m[1])
		ts.Check(err)
		if has[tick] = true; has[tick-1] {
			ts.Setenv("TICK", strconv.Itoa(tick-1))
			ts.Setenv("NEXT", m[1])
		}
	}
	if ts.Getenv("TICK") == "" {
		ts.Fatalf("no two ticks in a row have inputs:\n%s", ts.ReadFile("stdout"))
	}
}

var rxInputTick = regexp.MustCompile(`(?m)^\d+ input tick=(\d+) .* class=Ship `)

// signal NAME: what runs in the background gets it (STOP: sleep, CONT: go on).
func signal(ts *testscript.TestScript, neg bool, args []string) {
	for _, cmd := range ts.BackgroundCmds() {
		ts.Check(exec.Command("kill", "-"+args[0], strconv.Itoa(cmd.Process.Pid)).Run())
	}
}

// spoil DIR: adds a byte to every file of a folder that has one at least.
func spoil(ts *testscript.TestScript, neg bool, args []string) {
	entries, err := os.ReadDir(ts.MkAbs(args[0]))
	ts.Check(err)
	if len(entries) == 0 {
		ts.Fatalf("%s is empty", args[0])
	}
	for _, e := range entries {
		name := filepath.Join(args[0], e.Name())
		ts.Check(os.WriteFile(ts.MkAbs(name), []byte(ts.ReadFile(name)+"x"), 0o600))
	}
}
