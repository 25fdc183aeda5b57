// Command peak runs a program and then prints how much memory the program held at
// its peak, as resident memory:
//
//	go test -exec "PEAK 1500 512MiB" ./...
//
// The second argument is the GOMEMLIMIT of the program, above which its garbage does not wait. The line is "=== PEAK
// 312 MB". Above the limit, the first argument in MB, peak says so and exits with 1, as it does if the program fails.
// Children that the program has waited for count, each by itself: the largest of them is printed if it is larger.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

func main() {
	if len(os.Args) < 4 {
		fail("usage: peak MB GOMEMLIMIT PROGRAM [ARGUMENT...]")
	}
	limit, err := strconv.ParseInt(os.Args[1], 10, 64)
	if err != nil || limit < 1 {
		fail("peak: %q is no number of MB", os.Args[1])
	}
	cmd := exec.Command(os.Args[3], os.Args[4:]...)
	cmd.Env = append(os.Environ(), "GOMEMLIMIT="+os.Args[2])
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err = cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		fail("peak: %v", err)
	}
	usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		fail("peak: this system does not say how much memory a program held")
	}
	peak := int64(usage.Maxrss) >> 10 // KB on Linux
	fmt.Printf("=== PEAK %d MB\n", peak)
	if peak > limit {
		fail("%d MB at the peak, and %d is the most that one test process may hold", peak, limit)
	}
	if err != nil {
		os.Exit(1)
	}
}

func fail(format string, args ...any) {
	fmt.Printf(format+"\n", args...)
	os.Exit(1)
}
