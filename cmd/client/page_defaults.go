package main

import (
	"math"
	"slices"
	"strings"

	"github.com/hindcast/hindcast/world"
)

// fieldKeys returns the names that each field of a class is bound to: those that
// the script declares, or, for a class that declares none, those that the fields'
// names suggest.
func fieldKeys(fields []world.InputField) [][]string {
	out := make([][]string, len(fields))
	said := false
	for i := range fields {
		out[i] = fields[i].Keys
		said = said || len(fields[i].Keys) > 0
	}
	if said {
		return out
	}
	spare := []string{"space", "e", "q", "f", "r", "shift", "1", "2", "3", "4", "5", "6", "7", "8", "9"}
	for i := range fields {
		out[i] = suggest(&fields[i])
		spare = slices.DeleteFunc(spare, func(k string) bool { return slices.Contains(out[i], k) })
	}
	for i := range fields {
		if len(out[i]) == 0 && !fields[i].Axis && len(spare) > 0 {
			out[i], spare = spare[:1:1], spare[1:]
		}
	}
	return out
}

// suggest returns the usual keys for a name such as Turnleft, thrust, aim.
func suggest(f *world.InputField) []string {
	name := strings.ToLower(f.Name)
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(name, w) })
	}
	if f.Axis {
		return suggestAxis(f, has)
	}
	switch {
	case has("left"):
		return []string{"arrowleft", "a", "pad:left"}
	case has("right"):
		return []string{"arrowright", "d", "pad:right"}
	case has("back", "brake", "reverse", "down"):
		return []string{"arrowdown", "s", "pad:down"}
	case has("accel", "forward", "thrust", "gas", "up"):
		return []string{"arrowup", "w", "pad:up", "pad:a"}
	case has("fire", "shoot", "jump", "kick"):
		return []string{"space", "mouse:left", "pad:x"}
	case has("boost", "sprint", "run", "dash"):
		return []string{"shift", "pad:b"}
	}
	return nil
}

// suggestAxis returns the pointer for a heading, and keys and a stick for steering.
// Turning is counter-clockwise; steering, and moving along x, is to the right.
func suggestAxis(f *world.InputField, has func(...string) bool) []string {
	switch {
	case f.Merge == world.MergeSum && (has("wheel", "zoom", "scroll")):
		return []string{"wheel"}
	case f.Merge == world.MergeSum && strings.HasSuffix(strings.ToLower(f.Name), "y"):
		return []string{"mouse:dy"}
	case f.Merge == world.MergeSum:
		return []string{"mouse:dx"}
	case has("aim", "angle", "direction", "heading") || f.Max-f.Min > 6 && f.Max-f.Min < 2.01*math.Pi:
		return []string{"mouse"}
	case has("turn"):
		return []string{"arrowleft", "a", "-arrowright", "-d", "-pad:lx"}
	case has("steer", "strafe") || strings.HasSuffix(strings.ToLower(f.Name), "x"):
		return []string{"arrowright", "d", "-arrowleft", "-a", "pad:lx"}
	case has("throttle", "thrust", "accel") || strings.HasSuffix(strings.ToLower(f.Name), "y"):
		return []string{"arrowup", "w", "-arrowdown", "-s", "-pad:ly"}
	}
	return nil
}
