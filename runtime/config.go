package runtime

import (
	"errors"
	"fmt"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/runtime/replay"
	"github.com/hindcast/hindcast/world"
)

// ErrConfig is the error of a configuration that lacks a required setting. The error
// names it.
var ErrConfig = errors.New("the configuration is incomplete")

// missingSetting returns the ErrConfig about a setting.
func missingSetting(setting, what string) error {
	return fmt.Errorf("%w: %s is not set: %s", ErrConfig, setting, what)
}

// Texts of errors about settings that hosts and clients share.
const (
	compileIs = "luabind.Compile for scripts in Lua, goscript.Compile for rules in Go"
	linkIs    = "the network, such as kcplink.Listen or kcplink.Dial returns"
)

// check returns an error that names a missing setting.
func (cfg *HostConfig) check() error {
	if cfg.Bundle == nil {
		return missingSetting("HostConfig.Bundle", "the scripts and settings of a game, such as scripts.LoadDir loads")
	}
	if err := cfg.Bundle.Check(); err != nil {
		return err
	}
	switch {
	case cfg.Compile == nil:
		return missingSetting("HostConfig.Compile", compileIs)
	case cfg.Link == nil:
		return missingSetting("HostConfig.Link", linkIs)
	case cfg.Recorder != nil && errors.Is(cfg.Recorder.Err(), replay.ErrNoWriter):
		return fmt.Errorf("%w: HostConfig.Recorder: %w", ErrConfig, cfg.Recorder.Err())
	}
	return nil
}

// check returns an error that names a missing setting, or one that does not apply to
// the kind of client.
func (cfg *ClientConfig) check() error {
	if err := cfg.Prediction.Check(); err != nil {
		return fmt.Errorf("%w: ClientConfig.Prediction: %w", ErrConfig, err)
	}
	switch {
	case cfg.Kind > InputOnly:
		return fmt.Errorf("%w: there is no kind %d", ErrKind, cfg.Kind)
	case cfg.Kind != Predictor && cfg.Frames != nil:
		return fmt.Errorf("%w: Frames needs a predictor, this is a %s client", ErrKind, cfg.Kind)
	case cfg.CatchUp < 0 || cfg.CatchUp > MaxCatchUp:
		return fmt.Errorf("%w: ClientConfig.CatchUp is %d: must be 1 to %d ticks, or 0 for the default", ErrConfig, cfg.CatchUp, MaxCatchUp)
	case cfg.Kind != Predictor && cfg.Prediction != Prediction{}:
		return fmt.Errorf("%w: Prediction needs a predictor, this is a %s client", ErrKind, cfg.Kind)
	case cfg.Compile == nil:
		return missingSetting("ClientConfig.Compile", compileIs)
	case cfg.Link == nil:
		return missingSetting("ClientConfig.Link", linkIs)
	}
	return nil
}

// compiled returns the script that a Compile made of a bundle.
func compiled(compile world.Compile, files []world.Source, setup world.Setup) (world.Script, error) {
	script, err := compile(files, setup)
	if err == nil && script == nil {
		err = fmt.Errorf("%w: Compile returned neither a script nor an error", ErrConfig)
	}
	return script, err
}

// noLink is the link of a ClientConfig without one. Nothing happens on it.
type noLink struct{}

// Poll has nothing to deliver.
func (noLink) Poll(time.Duration, func(link.Event)) {}

// SendDatagram sends nothing.
func (noLink) SendDatagram(time.Duration, link.Peer, []byte) error { return link.ErrNoPeer }

// SendMessage sends nothing.
func (noLink) SendMessage(time.Duration, link.Peer, link.Stream, []byte) error {
	return link.ErrNoPeer
}

// Close has nothing to close.
func (noLink) Close(time.Duration, link.Peer, string) {}

// Due returns link.Never.
func (noLink) Due(time.Duration) time.Duration { return link.Never }

// Shutdown has nothing to shut down.
func (noLink) Shutdown(string) error { return nil }

// Ready returns nil: nothing ever arrives.
func (noLink) Ready() <-chan struct{} { return nil }
