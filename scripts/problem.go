package scripts

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Problem is a mistake in a game, with its place.
type Problem struct {
	File    string // with the folder as the user named it
	Line    int    // from 1
	Message string // the problem
}

// Error returns FILE:LINE: message.
func (p *Problem) Error() string { return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.Message) }

// join makes one error of many, sorted by file, line and message.
func join(problems []*Problem) error {
	problems = slices.Clone(problems)
	slices.SortStableFunc(problems, func(a, b *Problem) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line),
			strings.Compare(a.Message, b.Message))
	})
	errs := make([]error, len(problems))
	for i, p := range problems {
		errs[i] = p
	}
	return errors.Join(errs...)
}

// BesideScripts reports whether an error of Load joins problems in other files than scripts: these can be read.
func BesideScripts(err error) bool {
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		return !slices.ContainsFunc(many.Unwrap(), func(e error) bool { return !BesideScripts(e) })
	}
	var p *Problem
	return errors.As(err, &p) && !strings.EqualFold(filepath.Ext(p.File), ".lua")
}

// nearest returns the word that is most similar to name, for "did you mean"; "" if none
// is similar.
func nearest(name string, words []string) string {
	best, least := "", 1+max(1, len(name)/3)
	for _, w := range words {
		d := distance(strings.ToLower(name), strings.ToLower(w))
		if strings.ReplaceAll(strings.ToLower(name), "-", "_") == strings.ReplaceAll(strings.ToLower(w), "-", "_") {
			d = 0
		}
		if d < least {
			best, least = w, d
		}
	}
	return best
}

// distance returns how many bytes must be inserted, deleted, changed or swapped with
// their neighbour to turn a into b (optimal string alignment).
func distance(a, b string) int {
	if len(a) > 64 || len(b) > 64 { // no key of ours is so long
		return max(len(a), len(b))
	}
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
