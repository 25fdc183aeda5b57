package main

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/hindcast/hindcast/cmd/host/cli"
	"github.com/hindcast/hindcast/runtime/replay"
	"github.com/hindcast/hindcast/world"
)

// showTick plays to a tick and prints a summary of it.
func (t *tape) showTick(to world.Tick, file string) error {
	if err := t.replay.Seek(to); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	s := t.replay.State()
	recorded := ""
	if m, ok := t.replay.Hash(); ok {
		recorded = ", as recorded"
		if m.Hash != s.Hash() {
			recorded = fmt.Sprintf(", recorded %016x", m.Hash)
		}
	}
	fmt.Fprintf(t.out, "tick %d: hash %016x%s; %d players, %d objects\n", s.Tick, s.Hash(), recorded,
		len(s.Players), s.Len())
	names, err := t.names()
	if err != nil {
		return err
	}
	for _, p := range s.Players {
		fmt.Fprintf(t.out, "  player %d%s, joined in tick %d%s\n", p.ID, names[p.ID], p.Joined, left(p.Left))
	}
	for _, c := range countClasses(s, t.replay.Schema()) {
		fmt.Fprintf(t.out, "  %d %s\n", c.count, c.name)
	}
	fmt.Fprintf(t.out, "events of this tick, each after the host's tick in which it arrived:\n")
	printed, err := t.dump(to)
	if printed == 0 && err == nil {
		fmt.Fprintln(t.out, "  nothing")
	}
	fmt.Fprintf(t.out, "all objects with their fields: host replay %s -to %d -dump\n", cli.Word(file), to)
	return err
}

func left(t world.Tick) string {
	if t == 0 {
		return ""
	}
	return fmt.Sprintf(", left in tick %d", t)
}

// names returns the players' names in the form in which they follow the number.
func (t *tape) names() (names map[world.PlayerID]string, err error) {
	names = map[world.PlayerID]string{}
	err = t.records(func(r *replay.Record) error {
		if r.Kind == replay.Name {
			names[r.Player] = fmt.Sprintf(" %q", r.Text)
		}
		return nil
	})
	return names, err
}

// records calls each for all records of the file, in their order, until it returns an error.
func (t *tape) records(each func(*replay.Record) error) error {
	for i := range t.file.Blocks {
		if err := t.file.Each(i, each); err != nil {
			return err
		}
	}
	return nil
}

// classCount is the number of objects of a class.
type classCount struct {
	name  string
	count int
}

// countClasses counts the objects, in the order of the schema's classes.
func countClasses(s *world.State, schema *world.Schema) (out []classCount) {
	counts := make([]classCount, len(schema.Classes))
	for _, slot := range s.Run {
		c := s.Objects[slot].Class
		counts[c].name = schema.Classes[c].Name
		counts[c].count++
	}
	return slices.DeleteFunc(counts, func(c classCount) bool { return c.count == 0 })
}
