package main

import (
	"bytes"
	"errors"
	"log/slog"
	"net"
	"strings"
	"syscall"
	"testing"

	"github.com/hindcast/hindcast/cmd/host/cli"
)

// TestHostTakesAnotherPort: if the default port is taken, the host takes another one and
// prints it. If a port that was asked for is taken, the error says what to do.
func TestHostTakesAnotherPort(t *testing.T) {
	busy, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	taken := busy.LocalAddr().String()
	var out bytes.Buffer
	log := slog.New(slog.NewTextHandler(&out, nil))
	link, err := listen(cli.Addr{Text: "127.0.0.1:7777"}.Or(taken), log)
	if err != nil {
		t.Fatal(err)
	}
	defer link.Shutdown("")
	if text := out.String(); !strings.Contains(text, "UDP "+taken+" is taken") || !strings.Contains(text, "players join at "+link.LocalAddr().String()+" instead; -listen ADDR") {
		t.Errorf("logged %s", text)
	}
	out.Reset()
	_, err = listen(cli.Addr{Text: taken, Asked: true}.Or(""), log)
	if !errors.Is(err, syscall.EADDRINUSE) || !strings.HasSuffix(err.Error(), "take a free port with -listen 127.0.0.1:0") || strings.Count(err.Error(), taken) != 1 || out.Len() > 0 {
		t.Errorf("%v; logged %s", err, out.String())
	}
}

func TestParseFault(t *testing.T) {
	tick, object, err := parseFault("tick=12,object=3")
	if tick != 12 || object != 3 || err != nil {
		t.Errorf("got %d %d %v", tick, object, err)
	}
	for _, bad := range []string{"tick=0,object=1", "tick=1", "object=1", "tick=1,object=x", "tick=1,thing=2", "1,2", "tick=1,object=-1"} {
		if _, _, err := parseFault(bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

// TestBenchScenesAreReproducible: a measurement ends in the same state each
// time, and its rewinds run part of the objects and agree with a run in full.
func TestBenchScenesAreReproducible(t *testing.T) {
	sc := scene{"small", 60, 20, 0}
	a, err := sc.measure(t.Context(), 4, 16, 20)
	if err != nil {
		t.Fatal(err)
	}
	b, err := sc.measure(t.Context(), 4, 16, 20)
	if err != nil {
		t.Fatal(err)
	}
	if a.Hash != b.Hash || a.Mismatches != 0 || a.ObjectsReRun == 0 || a.ObjectsReRun*2 > a.ObjectsInFull || a.TicksReRun < 20*16 || a.Players != benchPlayers {
		t.Errorf("%+v\n%+v", a, b)
	}
	if late, _ := sc.measure(t.Context(), 1, 16, 20); late.Hash == a.Hash {
		t.Error("other inputs, the same hash")
	}
}
