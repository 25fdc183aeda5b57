package side

import (
	"log/slog"
	"regexp"
	"slices"
)

// Refusals logs the mistakes because of which saved scripts are not in force, and which of them are mended.
// Host and clients log the same.
type Refusals struct {
	last []string // the mistakes that were logged last
}

// Log logs the mistakes, a line each: FILE:LINE: message, or a message without a place, after those of before that are
// mended. None: saved scripts are in force, which others log.
func (r *Refusals) Log(log *slog.Logger, mistakes []string) {
	before := r.last
	r.last = slices.Clone(mistakes)
	mended := ": mended"
	if slices.ContainsFunc(mistakes, func(m string) bool { return !hasMistake(before, m) }) {
		mended += ", or hidden by another mistake" // a file that does not parse is looked at no further
	}
	for _, old := range before {
		if placed.MatchString(old) && !hasMistake(mistakes, old) {
			log.Info(old + mended)
		}
	}
	for _, m := range mistakes {
		log.Error("saved files are not in force, the old ones stay: " + m)
	}
}

// placed matches a mistake with a place, perhaps after what it follows from, and finds its file.
var placed = regexp.MustCompile(`^(?:.*?, and so: )?(.*?:)\d+: `)

// hasMistake reports whether a mistake is among others, perhaps in another line.
func hasMistake(among []string, mistake string) bool {
	key := placed.ReplaceAllString(mistake, "$1 ")
	return slices.ContainsFunc(among, func(m string) bool { return placed.ReplaceAllString(m, "$1 ") == key })
}
