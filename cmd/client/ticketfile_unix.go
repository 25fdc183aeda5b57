//go:build unix && !solaris && !illumos && !aix

package main

import (
	"errors"
	"os"
	"syscall"
)

// holdFile locks a file until it is closed or the program ends in any way.
func holdFile(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return errHeld
	}
	return err
}
