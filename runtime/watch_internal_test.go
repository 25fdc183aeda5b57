package runtime

import (
	"testing"

	"github.com/hindcast/hindcast/net/wire"
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
	layout := wire.NewLayout(schema)
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
