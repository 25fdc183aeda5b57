package cli

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// Main runs a program and exits with the code of its error, which it prints to
// standard error. The context ends at the first interrupt, so that the program
// can finish; a second interrupt stops it at once.
func Main(program string, run func(ctx context.Context, args []string) error) {
	os.Exit(int(codeOfRun(program, run)))
}

func codeOfRun(program string, run func(ctx context.Context, args []string) error) Code {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	go func() {
		<-ctx.Done()
		stop() // from here on an interrupt has its usual effect: it ends the process
	}()
	err := run(ctx, os.Args[1:])
	code := CodeOf(err)
	if code != OK {
		fmt.Fprintf(os.Stderr, "%s: %v\n", program, err)
	}
	return code
}
