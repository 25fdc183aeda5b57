package replicate

import (
	"errors"
	"testing"

	"github.com/hindcast/hindcast/world"
)

// A snapshot that arrives after one with a newer baseline can be read, since networks
// reorder datagrams. However few snapshots arrive, the baseline is kept.
func TestOvertakenSnapshotsAreRead(t *testing.T) {
	s, schema := crowd(t, 3)
	sender := from(schema, s, 1)
	r := NewReceiver(true)
	r.Restart(schema, s, 1)
	reads := func(b []byte) bool {
		_, err := r.Read(b, func(uint32) *world.Schema { return schema })
		return err == nil
	}
	slots := spectated(s, schema, nil)
	sent := [][]byte{nil, nil} // by seq
	send := func() {
		drive(s, 3)
		sent = append(sent, append([]byte(nil), sender.Snapshot(s, schema, slots, 1, 1000)...))
	}
	for range overtaken {
		send()
	}
	last := uint32(len(sent) - 1)
	if !reads(sent[last]) {
		t.Fatalf("snapshot %d, the first to come, cannot be read", last)
	}
	sender.Acknowledge(last, 0)
	send()
	if !reads(sent[last+1]) || r.newestBase != last {
		t.Fatalf("snapshot %d is built on %d, not %d, or cannot be read", last+1, r.newestBase, last)
	}
	for seq := last - 1; seq > 1; seq-- {
		if !reads(sent[seq]) {
			t.Errorf("snapshot %d, behind %d, cannot be read", seq, last+1)
		}
	}
	if r.Newest() != last+1 {
		t.Errorf("the newest is %d", r.Newest())
	}
	for range 4 * maxKept {
		send()
		if seq := uint32(len(sent) - 1); !reads(sent[seq]) || len(r.kept) > maxKept {
			t.Fatalf("snapshot %d without acks since %d: it cannot be read, or %d are kept", seq, last, len(r.kept))
		}
	}
}

// A snapshot of earlier scripts that arrives after one of newer scripts is stale: its
// objects would need the old declarations again.
func TestSnapshotsOvertakenByAReload(t *testing.T) {
	s, schema := crowd(t, 3)
	sender := from(schema, s, 1)
	r := NewReceiver(true)
	r.Restart(schema, s, 1)
	slots := spectated(s, schema, nil)
	send := func() []byte {
		drive(s, 3)
		return append([]byte(nil), sender.Snapshot(s, schema, slots, 1, 1000)...)
	}
	both := func(bundle uint32) *world.Schema {
		if bundle == 1 || bundle == 2 {
			return schema
		}
		return nil
	}
	first, late := send(), send()
	s.Bundle = 2
	stale := 0
	for i, b := range [][]byte{first, send(), late, send()} {
		_, err := r.Read(b, both)
		if errors.Is(err, ErrStale) {
			stale++
		} else if err != nil {
			t.Fatal(err)
		}
		if want := uint32(min(1+i, 2)); r.bundle != want {
			t.Errorf("after %d snapshots objects are read by bundle %d, not %d", i+1, r.bundle, want)
		}
	}
	if stale != 1 || r.Newest() != 5 {
		t.Errorf("%d were stale, the newest is %d", stale, r.Newest())
	}
	if _, err := r.Read(first, both); !errors.Is(err, ErrStale) {
		t.Errorf("the first again: %v", err)
	}
}

func TestSnapshotsAreReadOnce(t *testing.T) {
	s, schema := crowd(t, 3)
	sender := from(schema, s, 1)
	r := NewReceiver(true)
	r.Restart(schema, s, 1)
	drive(s, 3)
	b := sender.Snapshot(s, schema, spectated(s, schema, nil), 1, 1000)
	of := func(uint32) *world.Schema { return schema }
	if m, err := r.Read(b, of); err != nil || len(m.Entities) != 3 {
		t.Fatal(m, err)
	}
	if _, err := r.Read(b, of); !errors.Is(err, ErrDuplicate) {
		t.Errorf("the second time: %v", err)
	}
}
