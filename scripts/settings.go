package scripts

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/world"
)

// values are the keys of a table in game.toml.
type values = map[string]any

// settingsOf returns the keys of a game.toml that has all settings of a bundle. It is the inverse of Game.read.
func settingsOf(b *bundle.Bundle) values {
	s, rules := &b.Setup, &b.Rules
	shots, near := &rules.Snapshots, &rules.Prediction
	spacing := &shots.Interpolation
	main, _ := s.Level(world.MainLevel)
	arena, walls, spawns := levelOf(&main)
	again := "first"
	if rules.Newest {
		again = "newest"
	}
	return values{
		"name": b.Game, "tick_rate": int64(s.TickRate), "seed": int64(s.Seed),
		"history": values{
			"max_rewind":  ms(rules.MaxRewind),
			"max_seen":    ms(rules.MaxSeen),
			"rewind_work": int64(rules.RewindWork),
		},
		"input": values{"repeat": msOfTicks(s.RepeatInputTicks, s.TickRate, defaultRepeat),
			"max_ahead": ms(rules.MaxAhead), "lead": ms(rules.Lead),
			"redundancy": int64(rules.Redundancy), "again": again},
		"players": values{"max": int64(rules.MaxPlayers), "grace": msOfTicks(s.GraceTicks, s.TickRate, defaultGrace)},
		"limits":  values{"objects": int64(s.MostObjects()), "catch_up": ms(rules.CatchUpLimit())},
		"physics": values{
			"substeps": int64(s.Substeps),
			"sleep":    s.SleepAfter,
			"gravity":  [2]float64{s.GravityX, s.GravityY},
		},
		"arena": arena,
		"wall":  walls,
		"spawn": spawns,
		"level": levelsOf(s),
		"correct": values{
			"position":         rules.Correct.Position,
			"angle":            rules.Correct.Angle,
			"velocity":         rules.Correct.Velocity,
			"angular_velocity": rules.Correct.AngularVelocity,
		},
		"snapshots": values{
			"rate":   int64(shots.Rate),
			"bytes":  int64(shots.Bytes),
			"range":  shots.Range,
			"layers": rangesOf(shots.Layers),
		},
		"prediction": values{"range": near.Range, "layers": rangesOf(near.Layers)},
		"interpolation": values{"first": ms(spacing.First), "least": ms(spacing.Least), "most": ms(spacing.Most),
			"extrapolate": ms(spacing.Extrapolate)},
	}
}

func ms(d time.Duration) int64 { return d.Milliseconds() }

// msOfTicks is the inverse of ticks. Of the times with so many ticks it prefers the default.
func msOfTicks(n world.Tick, rate int, prefer time.Duration) int64 {
	if ticks(prefer, rate) == n {
		return ms(prefer)
	}
	return int64(n) * 1000 / int64(rate)
}

func rangesOf(layers []bundle.LayerRange) values {
	out := values{}
	for _, l := range layers {
		out[l.Layer] = l.Range
	}
	return out
}

// fieldsOf returns the table of fields with these leaves. It is the inverse of readFields. It leaves out what
// readFields cannot have made.
func fieldsOf(leaves []world.NamedValue) values {
	out := values{}
	for _, leaf := range leaves {
		switch leaf.Kind {
		case world.Number:
			put(out, leaf.Name, math.Float64frombits(leaf.Word))
		case world.Bool:
			put(out, leaf.Name, leaf.Word != 0)
		case world.String:
			put(out, leaf.Name, leaf.Text)
		case world.Count:
			if leaf.Word <= world.MaxValues {
				list := make([]any, leaf.Word)
				for i := range list {
					list[i] = values{} // a record without leaves; others take its place
				}
				put(out, strings.TrimPrefix(leaf.Name, "#"), list)
			}
		}
	}
	return out
}

// put puts a value at a path such as "slots[2].count" into a table, or into the list that is in the table.
func put(table values, path string, v any) {
	name, rest := path, ""
	if end := strings.IndexAny(path, ".["); end >= 0 {
		name, rest = path[:end], path[end:]
	}
	table[name] = putIn(table[name], rest, v)
}

// putIn returns a value after v was put into it, at the rest of a path.
func putIn(old any, rest string, v any) any {
	if rest == "" {
		return v
	}
	if field, ok := strings.CutPrefix(rest, "."); ok {
		table, _ := old.(values)
		if table == nil {
			table = values{}
		}
		put(table, field, v)
		return table
	}
	index, after, _ := strings.Cut(rest[1:], "]")
	list, _ := old.([]any)
	if i, err := strconv.Atoi(index); err == nil && i >= 1 && i <= len(list) {
		list[i-1] = putIn(list[i-1], after, v)
	}
	return list
}
