package replicate

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
)

// caught returns what f panics with, "" if it does not.
func caught(f func()) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = fmt.Sprint(r)
		}
	}()
	f()
	return ""
}

// expect fails unless f panics about an invariant in check mode, and only then.
func expect(t *testing.T, checked bool, invariant string, f func()) {
	t.Helper()
	want := ""
	if checked {
		want = "replicate: "
	}
	if got := caught(f); !strings.HasPrefix(got, want) || (got != "") != checked || checked && !strings.Contains(got, invariant) {
		t.Errorf("checked: %v, it panicked with %q", checked, got)
	}
}

func TestCheckFindsABaselineThatWasNotSent(t *testing.T) {
	s, schema := crowd(t, 3)
	for _, checked := range []bool{false, true} {
		sender := NewSender(new(Workspace), schema, s.Bundle, checked)
		sender.Restart(schema, Baseline(schema, s, sender.NextNumber()))
		sender.base.Seq += 10
		expect(t, checked, "the baseline is snapshot 11, and the newest one sent is 2", func() { sender.Snapshot(s, schema, spectated(s, schema, nil), 1, 1000) })
	}
}

func TestCheckFindsABaselineThatIsNotKept(t *testing.T) {
	s, schema := crowd(t, 3)
	for _, checked := range []bool{false, true} {
		sender, receiver := NewSender(new(Workspace), schema, s.Bundle, true), NewReceiver(checked)
		sender.Restart(schema, Baseline(schema, s, 1))
		receiver.Restart(schema, s, 1)
		read := func() {
			if _, err := receiver.Read(sender.Snapshot(s, schema, spectated(s, schema, nil), 1, 1000), func(uint32) *world.Schema { return schema }); err != nil {
				t.Fatal(err)
			}
		}
		read()
		receiver.newestBase = 7
		expect(t, checked, "snapshot 7 was a baseline and is not kept", read)
	}
}

// TestNumbersAtTheirEnd: a host that numbers snapshots up to the highest number does not make a
// client forget its baselines.
func TestNumbersAtTheirEnd(t *testing.T) {
	s, schema := crowd(t, 3)
	sender, receiver := from(schema, s, math.MaxUint32-4), NewReceiver(true)
	receiver.Restart(schema, s, math.MaxUint32-4)
	for range 4 {
		b := sender.Snapshot(s, schema, spectated(s, schema, nil), 1, 1000)
		m, err := receiver.Read(b, func(uint32) *world.Schema { return schema })
		if err != nil {
			t.Fatal(err)
		}
		sender.Acknowledge(m.Seq, 0)
	}
	if receiver.Newest() != math.MaxUint32 || receiver.find(math.MaxUint32-1) == nil {
		t.Errorf("newest %d, %d snapshots are kept", receiver.Newest(), len(receiver.kept))
	}
}
