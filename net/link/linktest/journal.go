package linktest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hindcast/hindcast/net/link"
)

// journal is copies of the events that a link delivered.
type journal struct{ events []link.Event }

// add adds an event and returns its copy.
func (j *journal) add(ev link.Event) link.Event {
	ev.Data = slices.Clone(ev.Data)
	j.events = append(j.events, ev)
	return ev
}

// Count returns the number of events.
func (j *journal) Count() int { return len(j.events) }

// Since returns the events but for the first ones.
func (j *journal) Since(first int) []link.Event { return j.events[first:] }

// Of returns the events of a kind, of all peers.
func (j *journal) Of(k link.EventKind) (all []link.Event) {
	for _, ev := range j.events {
		if ev.Kind == k {
			all = append(all, ev)
		}
	}
	return all
}

// Saw reports whether an event of a kind was delivered for a peer.
func (j *journal) Saw(k link.EventKind, p link.Peer) bool {
	return slices.ContainsFunc(j.events, func(ev link.Event) bool { return ev.Kind == k && ev.Peer == p })
}

// summary says what was delivered: the last events.
func (j *journal) summary() string {
	const most = 8
	var all []string
	for _, ev := range j.events[max(0, len(j.events)-most):] {
		all = append(all, describe(ev))
	}
	switch {
	case len(all) == 0:
		return "nothing"
	case len(j.events) > most:
		return fmt.Sprintf("%d events, the last of them %s", len(j.events), strings.Join(all, ", "))
	}
	return strings.Join(all, ", ")
}

// describe names an event in failures.
func describe(ev link.Event) string {
	switch ev.Kind {
	case link.Datagram:
		return fmt.Sprintf("datagram of %d bytes from peer %d", len(ev.Data), ev.Peer)
	case link.Message:
		return fmt.Sprintf("message of %d bytes on %v from peer %d", len(ev.Data), ev.Stream, ev.Peer)
	}
	return fmt.Sprintf("%v of peer %d", ev.Kind, ev.Peer)
}
