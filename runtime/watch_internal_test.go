package runtime

import (
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/clocksync"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
)

// reads hands a watcher what a teller told, and reports whether it could be read.
func (w *watcher) reads(t *testing.T, b []byte) bool {
	t.Helper()
	_, of, _, err := wire.SnapshotHead(b)
	base := w.base(of)
	if base == nil {
		return false
	}
	if err == nil {
		err = wire.ParseSnapshot(b, w.layout, base, &w.spare)
	}
	if err != nil {
		t.Fatal(err)
	}
	w.keep(of)
	return true
}

// A snapshot that comes behind one that is built on a newer base can be read: lines
// change the order of what is sent. However few of many come, the base is there.
func TestOvertakenSnapshotsAreRead(t *testing.T) {
	s, schema := crowd(t, 3)
	layout := wire.NewSnapshotLayout(schema)
	teller := newTeller(layout, s, 1)
	w := watcher{layout: layout, kept: []wire.Snapshot{teller.base}, newest: 1, onto: 1}
	slots := bodiesByID(s, nil)
	told := [][]byte{nil, nil} // by seq
	tell := func() {
		drive(s, 3)
		told = append(told, append([]byte(nil), teller.tell(s, slots, 1, 1000)...))
	}
	for range overtaken {
		tell()
	}
	last := uint32(len(told) - 1)
	if !w.reads(t, told[last]) {
		t.Fatalf("snapshot %d, the first to come, cannot be read", last)
	}
	teller.acknowledge(last)
	tell()
	if !w.reads(t, told[last+1]) || w.onto != last {
		t.Fatalf("snapshot %d is built on %d, not %d, or cannot be read", last+1, w.onto, last)
	}
	for seq := last - 1; seq > 1; seq-- {
		if !w.reads(t, told[seq]) {
			t.Errorf("snapshot %d, behind %d, cannot be read", seq, last+1)
		}
	}
	if w.newest != last+1 {
		t.Errorf("the newest is %d", w.newest)
	}
	for range 4 * maxKept {
		tell()
		if seq := uint32(len(told) - 1); !w.reads(t, told[seq]) || len(w.kept) > maxKept {
			t.Fatalf("snapshot %d without acks since %d: it cannot be read, or %d are kept", seq, last, len(w.kept))
		}
	}
}

// declaring is a Script of which only the declarations are asked for.
type declaring struct {
	world.Script
	schema *world.Schema
}

func (d declaring) Schema() *world.Schema { return d.schema }

// A snapshot of the scripts before, behind one of those in force, is not read: what is
// had by the new declarations would have to be had by the old ones again.
func TestSnapshotsOvertakenByAReload(t *testing.T) {
	s, schema := crowd(t, 3)
	teller := newTeller(wire.NewSnapshotLayout(schema), s, 1)
	c := Client{stage: StagePlaying, cfg: ClientConfig{Blind: true}, clock: clocksync.New(clocksync.Options{Tick: time.Second / 60})}
	script := declaring{schema: schema}
	c.library.known = []known{{Announce: wire.Announce{Number: 1}, script: script}, {Announce: wire.Announce{Number: 2}, script: script}}
	c.watch.begin(s, script, 1)
	slots := bodiesByID(s, nil)
	tell := func() []byte {
		drive(s, 3)
		return append([]byte(nil), teller.tell(s, slots, 1, 1000)...)
	}
	first, late := tell(), tell()
	s.Bundle = 2
	teller.base.Reset(0, s.Bundle, 0)
	for i, b := range [][]byte{first, tell(), late, tell()} {
		if err := c.snapshot(b); err != nil {
			t.Fatal(err)
		}
		if want := uint32(min(1+i, 2)); c.watch.bundle != want {
			t.Errorf("after %d snapshots things are had by bundle %d, not %d", i+1, c.watch.bundle, want)
		}
	}
	if c.stats.datagrams.Stale != 1 || c.watch.newest != 5 {
		t.Errorf("%d were stale, the newest is %d", c.stats.datagrams.Stale, c.watch.newest)
	}
}
