package client

import (
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/runtime/internal/side"
	"github.com/hindcast/hindcast/world"
)

// shows is a script that shows fields by a function.
type shows struct {
	world.Script
	schema *world.Schema
	err    error
	calls  int
}

func (s *shows) Schema() *world.Schema { return s.schema }

func (s *shows) ShowField(_ *world.Class, _ int, _, b world.Value, _ float64) (world.Value, error) {
	s.calls++
	return b, s.err
}

// TestShowerIsBounded: in one frame so many fields are shown by functions, and the others step. That, and each
// error, is logged once for a bundle, and a class of another bundle steps.
func TestShowerIsBounded(t *testing.T) {
	schema, err := world.NewSchema([]world.Class{{Name: "X", Fields: []world.Field{{Name: "heat", Show: world.ShowFunction, ShowWith: 1}}}},
		world.Setup{TickRate: 60, Substeps: 1, Width: 10, Height: 10})
	if err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	s := &shows{schema: schema}
	l := library{log: slog.New(slog.NewTextHandler(&log, nil)), errors: new(side.ScriptLog), known: []knownBundle{{script: s}}}
	class, _ := schema.ClassByName("X")
	for range 2 {
		show, shown := l.shower(1), 0
		s.calls = 0
		for range maxShown + 5 {
			if _, ok := show(&schema.Classes[class], 0, world.NumberValue(1), world.NumberValue(2), 0.5); ok {
				shown++
			}
		}
		if shown != maxShown || s.calls != maxShown || strings.Count(log.String(), "more than 1000 fields change at once") != 1 {
			t.Errorf("%d shown, %d calls, log %s", shown, s.calls, &log)
		}
	}
	s.err = errors.New("of the function")
	for range 2 {
		if _, ok := l.shower(1)(&schema.Classes[class], 0, world.NumberValue(1), world.NumberValue(2), 0.5); ok || strings.Count(log.String(), "of the function") != 1 {
			t.Errorf("shown: %v, log %s", ok, &log)
		}
	}
	if _, ok := l.shower(1)(&world.Class{Name: "X"}, 0, world.NumberValue(1), world.NumberValue(2), 0.5); ok {
		t.Error("a field of another bundle is shown")
	}
}
