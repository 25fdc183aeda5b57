//go:build !unix || solaris || illumos || aix

package main

import (
	"errors"
	"os"
)

// holdFile fails: without locks, two programs could both be one player.
func holdFile(*os.File) error { return errors.ErrUnsupported }
