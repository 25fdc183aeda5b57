package cli

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"syscall"
)

// Taken reports whether an error is that an address is in use already.
func Taken(err error) bool { return errors.Is(err, syscall.EADDRINUSE) }

// AnyPort is the same interface with a port that is free.
func AnyPort(addr string) string {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return "127.0.0.1:0"
	}
	return net.JoinHostPort(host, "0")
}

// GaveWay logs that what (players, the inspector) is at another address than
// usual, because that was taken; flag is the one that chooses it, "" for none.
func GaveWay(log *slog.Logger, network, what, wanted, instead, flag string) {
	choose := ""
	if flag != "" {
		choose = fmt.Sprintf("; %s ADDR chooses another", flag)
	}
	log.Warn(fmt.Sprintf("%s %s is taken, by another room perhaps: %s at %s instead%s", network, wanted, what, instead, choose))
}

// WhatToDo adds to an error about an address that was asked for and is taken
// how to get one that is free.
func WhatToDo(err error, addr, flag string) error {
	if !Taken(err) {
		return err
	}
	return fmt.Errorf("%w: stop what uses it, or take a free port with %s %s", err, flag, AnyPort(addr))
}
