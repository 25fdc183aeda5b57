package room

import (
	"errors"

	"github.com/hindcast/hindcast/net/wire"
)

// ErrConfig is the error of a configuration that lacks a required setting. The error
// names it.
var ErrConfig = errors.New("the configuration is incomplete")

// ErrRestarting is the error of a client whose host restarts. It is an ErrClosed, too: another Client
// returns as soon as the host is back.
var ErrRestarting = errors.New("the room has ended and may be back")

// ErrLeft is the error of a client that left by itself.
var ErrLeft = errors.New("left")

// RestartError is the cause of the context of Driver.Run with which a room ends because its host restarts. It is
// ErrRestarting.
type RestartError struct {
	Reason string // for the players
}

// Error names the reason.
func (e *RestartError) Error() string {
	if e.Reason == "" {
		return ErrRestarting.Error()
	}
	return ErrRestarting.Error() + ": " + e.Reason
}

// Is makes a RestartError ErrRestarting.
func (e *RestartError) Is(target error) bool { return target == ErrRestarting }

// Ticket is the secret with which a player returns.
type Ticket = wire.Ticket
