package linkmux

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/hindcast/hindcast/net/link"
)

// trunk is the shared link with the members of its peers, under one lock.
type trunk struct {
	wake chan struct{} // has a value when something is to be sent

	mu      sync.Mutex
	base    link.Link
	now     time.Duration // of the last poll
	down    bool
	rooms   map[string]*inbox
	members map[link.Peer]*member
}

func newTrunk(l link.Link) *trunk {
	return &trunk{
		wake:    make(chan struct{}, 1),
		base:    l,
		rooms:   make(map[string]*inbox),
		members: make(map[link.Peer]*member),
	}
}

// do calls f with the shared link, under the lock.
func (t *trunk) do(f func(l link.Link)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f(t.base)
}

func (t *trunk) poll(now time.Duration, deliver func(link.Event)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.now = max(t.now, now)
	t.base.Poll(t.now, deliver)
}

func (t *trunk) due(now time.Duration) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.base.Due(now)
}

// signalled receives when something is to be sent.
func (t *trunk) signalled() <-chan struct{} { return t.wake }

// signal lets the goroutine of the Mux poll.
func (t *trunk) signal() {
	select {
	case t.wake <- struct{}{}:
	default:
	}
}

// openRoom gives an inbox a name.
func (t *trunk) openRoom(name string, box *inbox) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.down:
		return fmt.Errorf("room %q: %w", name, link.ErrShutdown)
	case t.rooms[name] != nil:
		return fmt.Errorf("%w: there is a room %q", ErrRoomName, name)
	}
	t.rooms[name] = box
	return nil
}

// closeRoom closes the peers of a room and gives its name free.
func (t *trunk) closeRoom(name string, box *inbox, reason string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.rooms[name] == box {
		delete(t.rooms, name)
	}
	for _, p := range slices.Sorted(maps.Keys(t.members)) {
		if t.members[p].in(box) {
			delete(t.members, p)
			t.base.Close(t.now, p, reason)
		}
	}
	t.signal()
}

// memberOf returns the member of a peer; nil: it has no room.
func (t *trunk) memberOf(p link.Peer) *member {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.members[p]
}

// enter makes a peer a member of a room. The room gets Opened and, unless first is nil, the
// peer's first message; otherwise the peer gets the welcome. It reports false if there is no
// such room.
func (t *trunk) enter(p link.Peer, room string, first []byte) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	box := t.rooms[room]
	if box == nil {
		return false
	}
	s := &member{box: box}
	t.members[p] = s
	s.file(link.Event{Kind: link.Opened, Peer: p})
	if first != nil {
		s.file(link.Event{Kind: link.Message, Peer: p, Stream: link.Control, Data: first})
		return true
	}
	_ = t.base.SendMessage(t.now, p, link.Control, []byte{welcome}) // it fails only if the peer is gone
	t.signal()
	return true
}

// leave removes the member of a peer whose connection has ended.
func (t *trunk) leave(p link.Peer) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.members, p)
}

func (t *trunk) datagram(p link.Peer, b []byte) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.base.SendDatagram(t.now, p, b)
}

func (t *trunk) message(p link.Peer, s link.Stream, b []byte) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.signal()
	return t.base.SendMessage(t.now, p, s, b)
}

func (t *trunk) close(p link.Peer, reason string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.members, p)
	t.base.Close(t.now, p, reason)
	t.signal()
}

// shutdown ends the shared link. The rooms get Closed of their peers.
func (t *trunk) shutdown(reason string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.down {
		return nil
	}
	t.down = true
	for _, p := range slices.Sorted(maps.Keys(t.members)) {
		s := t.members[p]
		s.file(link.Event{Kind: link.Closed, Peer: p, Reason: link.CleanReason(reason)})
	}
	clear(t.members)
	clear(t.rooms)
	t.signal()
	return t.base.Shutdown(reason)
}

// isDown reports whether the shared link was shut down.
func (t *trunk) isDown() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.down
}

// sizes returns how many rooms there are, and how many peers in them.
func (t *trunk) sizes() (rooms, peers int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.rooms), len(t.members)
}
