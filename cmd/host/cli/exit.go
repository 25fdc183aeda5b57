package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// Code is an exit code; what each means is part of the programs' contract.
type Code int

// The exit codes.
const (
	OK      Code = 0
	Failure Code = 1
	Usage   Code = 2
	Config  Code = 3 // a game's configuration or script
	Network Code = 4
	Desync  Code = 5
)

// failure is an error with the exit code it leads to.
type failure struct {
	code Code
	err  error
}

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

// Fail gives err the exit code that it leads to. A nil err stays nil.
func Fail(code Code, err error) error {
	if err == nil {
		return nil
	}
	return &failure{code, err}
}

// CodeOf is the exit code that an error leads to.
func CodeOf(err error) Code {
	var f *failure
	switch {
	case err == nil || errors.Is(err, flag.ErrHelp):
		return OK
	case errors.As(err, &f):
		return f.code
	default:
		return Failure
	}
}

// Main runs a program: the context ends at the first interrupt, so that it
// can finish; a second one stops it at once. Its error goes to standard
// error, and decides the exit code.
func Main(program string, run func(ctx context.Context, args []string) error) {
	os.Exit(int(Run(program, run, os.Args[1:])))
}

// Run is Main without the exit.
func Run(program string, run func(ctx context.Context, args []string) error, args []string) Code {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	go func() {
		<-ctx.Done()
		stop() // from here on an interrupt has its usual effect: it ends the process
	}()
	err := run(ctx, args)
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintf(os.Stderr, "%s: %v\n", program, err)
	}
	return CodeOf(err)
}
