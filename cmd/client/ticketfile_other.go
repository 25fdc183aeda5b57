//go:build !unix || solaris || illumos || aix

package main

import (
	"errors"
	"os"
)

// holdFile: without locks two programs could fight for one player.
func holdFile(*os.File) error { return errors.ErrUnsupported }
