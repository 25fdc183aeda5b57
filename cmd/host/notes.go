package main

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/hindcast/hindcast/net/wire"
)

// notes are the changes that nobody sees at once of which players are told. A further save makes them no less true, so
// they are told of each for noteTime, unless the same thing changes again.
type notes struct{ list []note }

type note struct {
	text  string
	until time.Duration
}

const noteTime = 30 * time.Second

// rxChange matches what a line about a change is about, and how it differs.
var rxChange = regexp.MustCompile(`^(.*?) (was|is|has|holds|added|removed|retyped|moved|changed)\b`)

// subject returns what a line about a change is about.
func subject(line string) string {
	if m := rxChange.FindStringSubmatch(line); m != nil {
		return strings.TrimPrefix(m[1], wire.Note)
	}
	return line
}

// with takes the changes of a save and returns what players are to be told of.
func (n *notes) with(now time.Duration, changes []string) (texts []string) {
	n.list = slices.DeleteFunc(n.list, func(old note) bool {
		return now >= old.until || slices.ContainsFunc(changes, func(line string) bool {
			return subject(line) == subject(old.text)
		})
	})
	for _, text := range unseen(changes) {
		n.list = append(n.list, note{text, now + noteTime})
	}
	for _, told := range n.list {
		texts = append(texts, told.text)
	}
	return texts
}
