package asset

import (
	"errors"
	"fmt"
)

// ErrInvalid is wrapped by every error about an asset or a manifest.
var ErrInvalid = errors.New("bad asset")

// Error says which limit a file breaks. It is an ErrInvalid.
type Error struct {
	File   string // its name; "": all files together, or none
	Reason string // for people
}

// Error names the file and the reason.
func (e *Error) Error() string {
	if e.File == "" {
		return e.Reason
	}
	return e.File + ": " + e.Reason
}

// Unwrap returns ErrInvalid.
func (e *Error) Unwrap() error { return ErrInvalid }

func invalid(file, format string, args ...any) error {
	return &Error{file, fmt.Sprintf(format, args...)}
}
