package linkbase

import "net/netip"

// How many newcomers a host has at most: connections that have shown an address and nothing else. From half of them on,
// those of one network are limited: one machine has many ports, and many addresses of IPv6.
const (
	MostNewcomers = 256
	mostNear      = 4  // of one address of IPv4, or one /56
	mostWide      = 16 // of one /24, or one /48
)

// Newcomers are those that there are, seen from one more.
type Newcomers struct{ all, near, wide int }

// Count adds one. The address of either is invalid if it is not known.
func (n *Newcomers) Count(newcomer, other netip.Addr) {
	n.all++
	if !newcomer.IsValid() || !other.IsValid() {
		return
	}
	n.near += oneIf(prefix(newcomer, 32, 56) == prefix(other, 32, 56))
	n.wide += oneIf(prefix(newcomer, 24, 48) == prefix(other, 24, 48))
}

// Admits reports whether there is room for one more.
func (n *Newcomers) Admits() bool {
	return n.all < MostNewcomers/2 || n.all < MostNewcomers && n.near < mostNear && n.wide < mostWide
}

func prefix(addr netip.Addr, bits4, bits6 int) netip.Prefix {
	addr, bits := addr.Unmap().WithZone(""), bits6
	if addr.Is4() {
		bits = bits4
	}
	p, _ := addr.Prefix(bits) // so many are valid
	return p
}

func oneIf(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
