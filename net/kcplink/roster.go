package kcplink

import (
	"crypto/rand"
	"encoding/binary"
	"net/netip"
	"time"

	"github.com/hindcast/hindcast/net/internal/linkbase"
	"github.com/hindcast/hindcast/net/link"
)

// roster is the peers of a Link, in every state.
type roster struct {
	all      []place // in the order in which they came
	byName   map[link.Peer]*peer
	byID     map[uint64]*peer
	lastName link.Peer
}

// place is a peer, and what it is found by.
type place struct {
	name link.Peer
	id   uint64
	peer *peer
}

func newRoster() roster {
	return roster{byName: make(map[link.Peer]*peer), byID: make(map[uint64]*peer)}
}

// add makes a half-open peer, with the next name.
func (r *roster) add(io *conduit, id uint64, addr netip.AddrPort) *peer {
	r.lastName++
	p := newPeer(io, r.lastName, id, addr)
	r.all = append(r.all, place{r.lastName, id, p})
	r.byName[r.lastName] = p
	r.byID[id] = p
	return p
}

// open returns the peer with a name if it is open, otherwise nil.
func (r *roster) open(name link.Peer) *peer {
	if p := r.byName[name]; p != nil && p.is(peerOpen) {
		return p
	}
	return nil
}

// alive returns the peer with a connection id, or nil if there is none any more.
func (r *roster) alive(id uint64) *peer {
	if p := r.byID[id]; p != nil && !p.is(peerGone) {
		return p
	}
	return nil
}

// admitsHalf reports whether there is room for a half-open peer at an address. One from the same port gives way: a
// socket is one client.
func (r *roster) admitsHalf(from netip.AddrPort) bool {
	var half linkbase.Newcomers
	for _, e := range r.all {
		if !e.peer.is(peerHalf) {
			continue
		}
		at := e.peer.way().address()
		if at == from {
			e.peer.vanish()
			continue
		}
		half.Count(from.Addr(), at.Addr())
	}
	return half.Admits()
}

// openAt returns the open peer at an address other than one peer, nil if there is none.
func (r *roster) openAt(at netip.AddrPort, but *peer) *peer {
	for _, e := range r.all {
		if e.peer != but && e.peer.is(peerOpen) && e.peer.way().address() == at {
			return e.peer
		}
	}
	return nil
}

// newID draws a connection id that cannot be guessed and is not in use.
func (r *roster) newID() uint64 {
	for {
		var b [8]byte
		rand.Read(b[:]) // its documentation says that it never fails
		id := binary.LittleEndian.Uint64(b[:])
		if id != 0 && r.byID[id] == nil {
			return id
		}
	}
}

// each calls do for each peer, those added meanwhile included, until do returns
// false.
func (r *roster) each(do func(p *peer) bool) {
	for i := 0; i < len(r.all); i++ {
		if !do(r.all[i].peer) {
			return
		}
	}
}

// due returns when the first of the peers has something to do.
func (r *roster) due(now time.Duration, o *Options) time.Duration {
	due := link.Never
	for _, e := range r.all {
		due = min(due, e.peer.due(now, o))
	}
	return due
}

// forgetGone drops the peers that are gone, and calls forgotten for each.
func (r *roster) forgetGone(forgotten func(p *peer)) {
	kept := r.all[:0]
	for _, e := range r.all {
		if !e.peer.is(peerGone) {
			kept = append(kept, e)
			continue
		}
		delete(r.byID, e.id)
		delete(r.byName, e.name)
		forgotten(e.peer)
	}
	clear(r.all[len(kept):])
	r.all = kept
}

// clear drops all peers.
func (r *roster) clear() {
	r.all = nil
	clear(r.byName)
	clear(r.byID)
}
