package room_test

import (
	"encoding/json"
	"testing"

	"github.com/hindcast/hindcast/runtime/room"
)

// TestStages tests the codes of stages, which pages compare and which therefore never
// change. The words may change.
func TestStages(t *testing.T) {
	t.Parallel()
	codes := []string{"connecting", "joining", "fetching", "waiting", "playing", "stalled", "over", "running", "replay"}
	for i, want := range codes {
		s := room.Stage(i)
		if got, err := json.Marshal(s); err != nil || string(got) != `"`+want+`"` {
			t.Errorf("stage %d is %s in JSON (%v), want %q", i, got, err, want)
		}
		if s.String() == "" {
			t.Errorf("stage %s has no words", want)
		}
	}
}
