package host

import (
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/runtime/timeline"
)

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
