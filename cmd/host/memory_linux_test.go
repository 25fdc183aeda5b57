package main

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/kcplink"
	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
)

// longWait is how long a test waits for an event of another process.
const longWait = time.Minute

// crowdedGame writes a game with 4,000 objects and nearly as much text as may be, and returns its folder and the hash
// of its bundle.
func crowdedGame(t *testing.T) (dir string, hash bundle.Hash) {
	t.Helper()
	files := map[string]string{
		"game.toml": `name = "crowded"
tick_rate = 60
seed = 1
[players]
max = 128
[arena]
width = 100
height = 100
`,
		"game.lua": `game { state = { made = 0 } }
function tick()
  for i = game.made, math.min(game.made + 99, 3999) do
    spawn("Crate", { x = i % 80 / 2 - 20, y = (i - i % 80) / 160 - 12 })
  end
  game.made = math.min(game.made + 100, 4000)
end
`,
		"crate.lua": `Crate = object "Crate" {
  body = { type = "dynamic", shape = { circle = 0.1 } },
  state = { a = 1.5, b = 1.5, c = 1.5, d = 1.5, e = 1.5, f = 1.5 },
}
`,
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 8 {
		var s strings.Builder
		for s.Len() < 60<<10 {
			fmt.Fprintf(&s, "-- %x\n", rng.Uint64())
		}
		files[fmt.Sprintf("file%d.lua", i)] = s.String()
	}
	dir = t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	game, err := openGame(dir)
	if err != nil {
		t.Fatal(err)
	}
	return dir, bundle.HashOf(game.Bundle.Encode())
}

// hostProcess is a host program that runs.
type hostProcess struct {
	t             *testing.T
	pid           int
	addr, metrics string
	asked         time.Time
	answer        string // of metrics
}

// startHost runs the program with a game until the test ends.
func startHost(t *testing.T, game string) *hostProcess {
	t.Helper()
	cmd := exec.Command("host", "-listen", "127.0.0.1:0", "-http", "", "-metrics", "127.0.0.1:0", "-watch=false", game)
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "GO") { // such as GOGC, with which tests run
			cmd.Env = append(cmd.Env, v)
		}
	}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	h := &hostProcess{t: t, pid: cmd.Process.Pid}
	for lines := bufio.NewScanner(out); h.addr == "" && lines.Scan(); {
		if at, ok := strings.CutPrefix(lines.Text(), "metrics at "); ok {
			h.metrics = at
		}
		if at, ok := strings.CutPrefix(lines.Text(), "listening on "); ok {
			h.addr = at
		}
	}
	if h.addr == "" || h.metrics == "" {
		t.Fatal("the host does not say where it listens")
	}
	return h
}

// metric returns a value of /metrics, which it asks for four times a second: the answers are garbage of the host.
func (h *hostProcess) metric(name string) int {
	h.t.Helper()
	if time.Since(h.asked) > 250*time.Millisecond {
		r, err := http.Get(h.metrics)
		if err != nil {
			h.t.Fatal(err)
		}
		b, _ := io.ReadAll(r.Body)
		_ = r.Body.Close()
		h.asked, h.answer = time.Now(), string(b)
	}
	for line := range strings.Lines(h.answer) {
		if value, ok := strings.CutPrefix(line, name+" "); ok {
			f, _ := strconv.ParseFloat(strings.TrimSpace(value), 64)
			return int(f)
		}
	}
	return 0
}

// resident returns how much memory the process has, in MB.
func (h *hostProcess) resident() int {
	h.t.Helper()
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", h.pid))
	if err != nil {
		h.t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(b), "VmRSS:")
	kb := 0
	if _, err := fmt.Sscan(after, &kb); err != nil {
		h.t.Fatal(err)
	}
	return kb >> 10
}

// await waits for an event.
func await(t *testing.T, what string, happened func() bool) {
	t.Helper()
	for end := time.Now().Add(longWait); !happened(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited %v in vain: %s", longWait, what)
		}
	}
}

// deafness is a line on which nothing arrives that belongs to a reliable stream, and no datagram.
type deafness struct{ arrived [][]byte }

func (d *deafness) Push(_ time.Duration, b []byte) {
	const datagram, segments = 16, 17 // kinds of net/kcplink/LINK.md
	if b[0] != datagram && b[0] != segments {
		d.arrived = append(d.arrived, append([]byte(nil), b...))
	}
}

func (d *deafness) Pop(time.Duration) (b []byte, ok bool) {
	if len(d.arrived) == 0 {
		return nil, false
	}
	b, d.arrived = d.arrived[0], d.arrived[1:]
	return b, true
}

func (d *deafness) Next() (time.Duration, bool) { return 0, len(d.arrived) > 0 }

// visitor is a client that asks for everything that a client may, and reads it or not.
type visitor struct {
	link   *kcplink.Link
	open   bool
	closed string // why
	plays  bool   // it says that it has the keyframe
	next   time.Duration
	turn   int
	said   uint32
	got    map[wire.Kind]int
}

func visit(t *testing.T, addr string, down kcplink.Impair) *visitor {
	t.Helper()
	l, err := kcplink.Dial(addr, kcplink.Options{Protocol: wire.Version, Down: down})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Shutdown("") })
	return &visitor{link: l, got: make(map[wire.Kind]int)}
}

// poll receives, and sends what is due: something each 50 ms.
func (v *visitor) poll(now time.Duration, hash bundle.Hash) {
	v.link.Poll(now, func(ev link.Event) {
		switch ev.Kind {
		case link.Opened:
			v.open, v.next = true, now
		case link.Closed:
			v.open, v.closed = false, ev.Reason
		case link.Message:
			v.got[wire.KindOf(ev.Data)]++
		}
	})
	if !v.open || now < v.next {
		return
	}
	v.next = now + 50*time.Millisecond
	switch ask := func(b []byte) { _ = v.link.SendMessage(now, link.HostPeer, link.Control, b) }; {
	case v.turn == 0:
		ask(wire.AppendHello(nil, &wire.Hello{Version: wire.Version, Name: "visitor"}))
	case v.turn == 1:
		ask(wire.AppendBundleWant(nil, &wire.BundleWant{Hash: hash}))
	case v.turn == 2 || v.turn < 14 && !v.plays || v.turn%40 == 0:
		ask(wire.AppendReady(nil, &wire.Ready{Snapshots: v.turn%2 == 0}))
	case v.turn%40 == 20:
		ask(wire.AppendStateWant(nil, &wire.StateWant{Tick: 100}))
	case v.plays:
		v.said++
		_ = v.link.SendDatagram(now, link.HostPeer, wire.AppendInputPacket(nil, &wire.InputPacket{Seq: v.said}))
	}
	v.turn++
}

// TestPeersThatNeverReadCostLittleMemory tests the memory that the program takes of the machine while players ask for the
// bundle, for states and for snapshots, and read nothing: all but one that a room holds. A player who reads gets in
// meanwhile. After the others have been let go, the memory is given back.
func TestPeersThatNeverReadCostLittleMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector takes memory, too")
	}
	t.Parallel() // it mostly waits for a process
	dir, hash := crowdedGame(t)
	type crowd struct {
		peers  int
		plays  bool
		honest bool
	}
	crowds := []crowd{{127, false, true}}
	if draws.Full() {
		crowds = append(crowds, crowd{60, false, true}, crowd{128, false, false}, crowd{127, true, true})
	}
	for _, c := range crowds {
		t.Run(fmt.Sprintf("%d peers, plays %v", c.peers, c.plays), func(t *testing.T) {
			host := startHost(t, dir)
			await(t, "a history of 4,000 objects", func() bool {
				return host.metric("hindcast_objects") >= 4000 && host.metric("hindcast_tick") > 240
			})
			idle, most, start := host.resident(), 0, time.Now()
			var all []*visitor
			for range c.peers {
				v := visit(t, host.addr, new(deafness))
				v.plays = c.plays
				all = append(all, v)
			}
			poll := func() (here int) {
				now := time.Since(start)
				for _, v := range all {
					v.poll(now, hash)
					if v.closed == "" {
						here++
					}
				}
				most = max(most, host.resident())
				return here
			}
			await(t, "all have asked", func() bool {
				poll()
				return !slices.ContainsFunc(all, func(v *visitor) bool { return v.turn < 3 && v.closed == "" })
			})
			if c.honest {
				v := visit(t, host.addr, nil)
				await(t, "a player who reads gets in", func() bool {
					v.poll(time.Since(start), hash)
					poll()
					if v.closed != "" { // a machine that is busy otherwise may have kept it from answering for 5 s
						t.Logf("the player who reads was let go, and comes again: %s", v.closed)
						v = visit(t, host.addr, nil)
					}
					return v.got[wire.KindBundle] > 0 && v.got[wire.KindKeyframe] > 0
				})
				t.Logf("the player who reads got %v", v.got)
				v.link.Close(time.Since(start), link.HostPeer, "seen enough")
				v.link.Poll(time.Since(start), func(link.Event) {})
			}
			await(t, "all are let go", func() bool { return poll() == 0 })
			for _, v := range all {
				if !strings.HasPrefix(v.closed, "nothing was acknowledged for 5s") {
					t.Errorf("let go for another reason: %s", v.closed)
				}
			}
			t.Logf("%d MB without them, %d MB more with %d of them", idle, most-idle, c.peers)
			if most-idle > 100 {
				t.Errorf("the program took %d MB more", most-idle)
			}
			await(t, "the memory is given back", func() bool { return host.resident() < idle+15 })
		})
	}
}
