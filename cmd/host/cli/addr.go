package cli

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strconv"
	"strings"
	"syscall"
)

// Addr is an address that a program listens at.
type Addr struct {
	Text  string // as in 127.0.0.1:7777
	Asked bool   // the user asked for it: no other address may be used
}

// Or returns a, or other if the user did not ask for a; "" is no other address.
func (a Addr) Or(other string) Addr {
	if !a.Asked && other != "" {
		a.Text = other
	}
	return a
}

// Check returns a usage error if a is not an address. flag is the flag that has it.
func (a Addr) Check(flag string) error {
	if err := CheckAddr(a.Text); err != nil {
		return Fail(Usage,
			fmt.Errorf("%s: %w; 0.0.0.0 in the place of the address stands for all networks of this "+
				"machine", flag, err))
	}
	return nil
}

// CheckAddr returns an error if an address of a user is invalid. It says what to write
// instead.
func CheckAddr(addr string) error {
	host, port, err := net.SplitHostPort(addr)
	_, bad := strconv.ParseUint(port, 10, 16)
	switch _, notPort := strconv.ParseUint(addr, 10, 16); {
	case err == nil && bad == nil:
		return nil
	case err == nil:
		return fmt.Errorf("the port of %s is not a number from 0 to 65535: write it as in %s", addr,
			net.JoinHostPort(host, "7777"))
	case notPort == nil:
		return fmt.Errorf("%s is a port without an address: write it as in 127.0.0.1:%s", addr, addr)
	case addr == "":
		return errors.New("there is no address: write one with its port, as in 127.0.0.1:7777")
	case strings.Contains(addr, ":"):
		return fmt.Errorf("%s is not an address with a port: write it as in 127.0.0.1:7777, or [::1]:7777", addr)
	}
	return fmt.Errorf("%s has no port: write it after the address, as in %s", addr, net.JoinHostPort(addr, "7777"))
}

// Service is the name of the service at an address, in the words of the log.
type Service struct {
	Network string // as in "UDP"
	Use     string // as in "players join"
	Flag    string // chooses the address; "": no flag does
}

// Listen calls open for the address. If the address is taken, open gets a free
// port of the same interface, which is logged; but if the user asked for the
// address, the error says how to get a free port. at is where the opened T
// listens.
func Listen[T any](a Addr, s Service, log *slog.Logger, open func(addr string) (T, error),
	at func(T) string) (T, error) {
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
		log.Warn(
			fmt.Sprintf("%s %s is taken, by another room perhaps: %s at %s instead%s", s.Network, a.Text, s.Use,
				at(opened), choose),
		)
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
