package kcplink

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
)

const socketBuffer = 4 << 20 // bytes asked for in each direction; the system may give less

// Listen opens a host on addr, such as "127.0.0.1:7777" or ":0". Call Shutdown at the
// end. It returns an error for Options out of range, and if the system refuses the address.
func Listen(addr string, o Options) (*Link, error) {
	if err := o.speaks(); err != nil {
		return nil, err
	}
	o, err := o.filled(true)
	if err != nil {
		return nil, err
	}
	at, err := net.ResolveUDPAddr("udp", addr)
	if err != nil {
		return nil, fmt.Errorf("UDP: cannot listen on %s: %w", addr, cause(err))
	}
	network := "udp"
	if at.IP.To4() != nil {
		network = "udp4" // 0.0.0.0 means IPv4 only
	}
	conn, err := net.ListenUDP(network, at)
	if err != nil {
		return nil, fmt.Errorf("UDP: cannot listen on %s: %w", addr, cause(err))
	}
	l := newLink(conn, o)
	l.host = newHost(o.Secret)
	l.start(conn)
	return l, nil
}

// Dial opens a client of the host at addr. It does not wait for the host's answer: the
// first event of Poll is Opened with peer 1, or Closed with the reason.
// Options.DialTimeout counts from the first Poll. Call Shutdown at the end. It returns an
// error for Options out of range, and for an address that cannot be resolved.
func Dial(addr string, o Options) (*Link, error) {
	if err := o.speaks(); err != nil {
		return nil, err
	}
	o, err := o.filled(false)
	if err != nil {
		return nil, err
	}
	remote, err := resolve(addr)
	if err != nil {
		return nil, fmt.Errorf("UDP: cannot call %s: %w", addr, cause(err))
	}
	network := "udp4"
	if remote.Addr().Is6() {
		network = "udp6"
	}
	conn, err := net.ListenUDP(network, nil)
	if err != nil {
		return nil, fmt.Errorf("UDP: cannot call %s: %w", addr, cause(err))
	}
	l := newLink(conn, o)
	l.dial = newDialer(remote)
	l.start(conn)
	return l, nil
}

// resolve returns the address to dial. An address without a host, or an unspecified one,
// is this machine.
func resolve(addr string) (netip.AddrPort, error) {
	to, err := net.ResolveUDPAddr("udp", addr)
	if err != nil {
		return netip.AddrPort{}, err
	}
	ip, port := to.AddrPort().Addr().Unmap(), to.AddrPort().Port()
	switch {
	case port == 0:
		return netip.AddrPort{}, errors.New("needs a port, such as 192.0.2.1:7777")
	case !ip.IsValid() || ip == netip.IPv4Unspecified():
		ip = netip.AddrFrom4([4]byte{127, 0, 0, 1})
	case ip == netip.IPv6Unspecified():
		ip = netip.IPv6Loopback()
	}
	return netip.AddrPortFrom(ip, port), nil
}

// start begins to read. Smaller buffers than asked for are not an error.
func (l *Link) start(conn *net.UDPConn) {
	conn.SetReadBuffer(socketBuffer)
	conn.SetWriteBuffer(socketBuffer)
	at := conn.LocalAddr().(*net.UDPAddr).AddrPort()
	l.local = netip.AddrPortFrom(at.Addr().Unmap(), at.Port())
	go l.inbox.read(conn)
}

// cause returns an error of package net without the address, which the caller names.
func cause(err error) error {
	if op := (*net.OpError)(nil); errors.As(err, &op) {
		return op.Err
	}
	return err
}
