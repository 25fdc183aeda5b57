package world_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/hindcast/hindcast/world"
)

// TestFrame: which frames a moment lies between, and where.
func TestFrame(t *testing.T) {
	for _, c := range []struct {
		tick world.Tick
		back uint16
		want string
	}{
		{100, 0, "no"}, {100, 1, "98 64"}, {100, 128, "98 64"}, {100, 129, "98 63"}, {100, 191, "98 1"}, {100, 192, "97 64"},
		{100, 99*64 + 63, "1 1"}, {100, 100 * 64, "no"}, {1, 128, "no"}, {3, 128, "1 64"},
	} {
		f, part, ok := world.ViewTime{Back: c.back}.Around(c.tick)
		got := "no"
		if ok {
			got = fmt.Sprint(f, part)
		}
		if got != c.want {
			t.Errorf("%d parts before tick %d: frame %s, not %s", c.back, c.tick, got, c.want)
		}
	}
}

// strides returns a pose history of objects that walk. The last one appears and
// disappears.
func strides(ticks int) (history [][]world.PastPose) {
	for i := range int32(ticks) {
		var now []world.PastPose
		for id := range int32(5) {
			if id < 4 || i%7 < 3 {
				now = append(now, world.PastPose{ID: world.ObjectID(id + 1), X: i * (100 + id), Y: -i * i, Angle: i * 5000 % (1 << 20)})
			}
		}
		history = append(history, now)
	}
	return history
}

// TestPoseHistoryIsShort: a step that is like the one before takes three bytes.
func TestPoseHistoryIsShort(t *testing.T) {
	history := strides(60)
	n := 0
	for _, now := range history {
		n += len(now)
	}
	if b := world.AppendPoseHistory(nil, history); len(b) > 7*n {
		t.Errorf("%d bytes for %d places", len(b), n)
	}
}

func FuzzParsePoseHistory(f *testing.F) {
	f.Add(world.AppendPoseHistory(nil, strides(12)))
	f.Add(world.AppendPoseHistory(nil, [][]world.PastPose{{}, {}, nil}))
	f.Add(world.AppendPoseHistory(nil, nil))
	f.Add([]byte{2, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0x80, 1, 2, 3, 1})
	f.Fuzz(func(t *testing.T, b []byte) {
		history, err := world.ParsePoseHistory(b, 64)
		if err != nil {
			return
		}
		again := world.AppendPoseHistory(nil, history)
		if same, err := world.ParsePoseHistory(again, 64); err != nil || len(same) != len(history) || !bytes.Equal(world.AppendPoseHistory(nil, same), again) {
			t.Fatalf("a pose history does not survive its own byte form: %v", err)
		}
	})
}
