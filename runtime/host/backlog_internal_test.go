package host

import (
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/runtime/timeline"
)

// TestBacklogOfMuchWork: a room that is late although its work should fit is not said to have hardly any.
func TestBacklogOfMuchWork(t *testing.T) {
	// order: each case is judged by itself
	for share, want := range map[float64]string{0.1: "not to blame", 0.6: "its work is much, but should fit"} {
		b := backlog{length: 10 * time.Millisecond}
		for range 200 {
			b.Add(&timeline.Work{Physics: time.Duration(share * float64(b.length))}, 1)
			b.Ticked()
		}
		if f, blamed := b.Slowness(10); blamed || !strings.Contains(f.Message, want) {
			t.Errorf("%v: %q, %v; want %q", share, f.Message, blamed, want)
		}
	}
}

// TestBacklogOfOtherScripts: what hooks did under other scripts is not to blame for what is late now.
func TestBacklogOfOtherScripts(t *testing.T) {
	b := backlog{length: time.Second / 60}
	dear := timeline.Work{Hooks: time.Second, By: []timeline.Spent{{Class: "Rock", Work: time.Second}}}
	b.Add(&dear, 1)
	b.Ticked()
	if f, blamed := b.Slowness(9); !blamed || !strings.Contains(f.Message, "the hooks of Rock") {
		t.Errorf("%+v, %v", f, blamed)
	}
	b.Add(&timeline.Work{Hooks: time.Millisecond}, 2)
	b.Ticked()
	if f, blamed := b.Slowness(10); blamed || !strings.Contains(f.Message, "not to blame") {
		t.Errorf("%+v, %v", f, blamed)
	}
}
