package cli

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"syscall"
)

// Addr is an address that a program listens at.
type Addr struct {
	Text  string // as in 127.0.0.1:7777
	Asked bool   // the user asked for it: no other address will do
}

// Or is a, or other if the user did not ask for a; "" is no other address.
func (a Addr) Or(other string) Addr {
	if !a.Asked && other != "" {
		a.Text = other
	}
	return a
}

// Service is what a program serves at an address, in the words of its log.
type Service struct {
	Network string // as in "UDP"
	Use     string // as in "players join"
	Flag    string // chooses the address; "": no flag does
}

// Listen calls open for the address. If the address is taken, open gets a free
// port of the same interface, which is logged; but if the user asked for the
// address, the error says how to get a free port. at is where the opened T
// listens.
func Listen[T any](a Addr, s Service, log *slog.Logger, open func(addr string) (T, error), at func(T) string) (T, error) {
	opened, err := open(a.Text)
	switch {
	case !taken(err):
		return opened, err
	case a.Asked:
		return opened, fmt.Errorf("%w: stop what uses it, or take a free port with %s %s", err, s.Flag, anyPort(a.Text))
	}
	if opened, err = open(anyPort(a.Text)); err == nil {
		choose := ""
		if s.Flag != "" {
			choose = fmt.Sprintf("; %s ADDR chooses another", s.Flag)
		}
		log.Warn(fmt.Sprintf("%s %s is taken, by another room perhaps: %s at %s instead%s", s.Network, a.Text, s.Use, at(opened), choose))
	}
	return opened, err
}

func taken(err error) bool { return errors.Is(err, syscall.EADDRINUSE) }

// anyPort is the same interface with a port that is free.
func anyPort(addr string) string {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return "127.0.0.1:0"
	}
	return net.JoinHostPort(host, "0")
}
