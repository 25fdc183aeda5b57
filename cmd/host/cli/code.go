package cli

import "errors"

// Code is the exit code of a program. What each code means is part of the
// programs' published contract.
type Code int

// The exit codes.
const (
	OK      Code = 0
	Failure Code = 1 // any other reason
	Usage   Code = 2 // the command line or the environment
	Config  Code = 3 // a game's configuration or scripts
	Network Code = 4
	Desync  Code = 5 // a confirmed state differs
)

// failure is an error with an exit code of its own.
type failure struct {
	code Code
	err  error
}

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

// Fail gives err an exit code, which counts before the table of errors. A nil
// err stays nil.
func Fail(code Code, err error) error {
	if err == nil {
		return nil
	}
	return &failure{code, err}
}

// CodeOf returns the exit code of an error: the one that Fail gave it, else
// that of the table of errors. Without an error it is OK.
func CodeOf(err error) Code {
	if err == nil {
		return OK
	}
	if f := (*failure)(nil); errors.As(err, &f) {
		return f.code
	}
	return knownCode(err)
}
