//go:build unix

package scripts

import "syscall"

// nonBlocking has a pipe without a writer opened at once.
const nonBlocking = syscall.O_NONBLOCK
