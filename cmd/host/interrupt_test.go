package main

import (
	"context"
	"testing"
)

// TestCommandsAreInterrupted: check and test end although a tick of the game goes on.
func TestCommandsAreInterrupted(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	started, never := make(chan struct{}), make(chan struct{})
	defer close(never)
	go func() { <-started; interrupt() }()
	if err := until(ctx, func() error { close(started); <-never; return nil }); err == nil || err.Error() != "interrupted" {
		t.Errorf("the error is %v", err)
	}
	if err := until(t.Context(), func() error { return nil }); err != nil {
		t.Errorf("a command that ends by itself: %v", err)
	}
}
