package client

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/world"
)

// TestShownCues tests what a program sees of cues that both the client and the host report.
func TestShownCues(t *testing.T) {
	cue := func(tick int) world.Cue { return world.Cue{CueKey: world.CueKey{Tick: world.Tick(tick), Name: "hit"}} }
	for _, c := range []struct{ events, want string }{
		{"+1 +1 -1 -1", "+1 -1"},
		{"+1 -1 -1 +1", "+1 -1 +1"},
		{"+1 +1 1>2 -1", "+1 +2 -1"},
		{"+1 +2 1>2 -2 -2", "+1 +2 -1 -2"},
		{"+1 1>2 2>3 -3", "+1 1>2 2>3 -3"},
		{"+1 +1 +2 1>2 -1 -2 -2", "+1 +2 -1 -2"},
	} {
		var got []string
		report := mergeCues(func(e room.CueEvent) {
			switch e.Kind {
			case room.CueFired:
				got = append(got, fmt.Sprintf("+%d", e.Cue.Tick))
			case room.CueCancelled:
				got = append(got, fmt.Sprintf("-%d", e.Cue.Tick))
			case room.CueMoved:
				got = append(got, fmt.Sprintf("%d>%d", e.Was.Tick, e.Cue.Tick))
			}
		})
		for _, text := range strings.Fields(c.events) {
			var a, b int
			switch n, _ := fmt.Sscanf(text, "%d>%d", &a, &b); {
			case n == 2:
				report(room.CueEvent{Kind: room.CueMoved, Was: cue(a), Cue: cue(b)})
			case a > 0:
				report(room.CueEvent{Kind: room.CueFired, Cue: cue(a)})
			default:
				report(room.CueEvent{Kind: room.CueCancelled, Cue: cue(-a)})
			}
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: the program sees %s, want %s", c.events, s, c.want)
		}
	}
	if mergeCues(nil) != nil {
		t.Error("a function that reports to nobody")
	}
}
