package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	goruntime "runtime"
	"syscall"
	"time"
)

// openPage serves the game page: at a free port if the default one is taken.
func (s *session) openPage() (err error) {
	s.page, err = newPage(s.opts.http, s.log)
	if errors.Is(err, syscall.EADDRINUSE) && !s.opts.httpGiven {
		s.page, err = newPage("127.0.0.1:0", s.log)
	}
	if err != nil {
		return fmt.Errorf("game page: %w", err)
	}
	fmt.Printf("play at %s\n", s.page.URL())
	if s.opts.open {
		openBrowser(s.page.URL())
	}
	return nil
}

func (s *session) closePage() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if err := s.page.Close(ctx); err != nil {
		s.log.Warn("closing the game page", "error", err)
	}
}

// openBrowser shows a page if there is a browser to show it: where there is
// none, the printed address must do.
func openBrowser(url string) {
	var cmd *exec.Cmd
	switch goruntime.GOOS {
	case "darwin":
		cmd = exec.Command("open", url)
	case "windows":
		cmd = exec.Command("rundll32", "url.dll,FileProtocolHandler", url)
	default:
		if os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
			return
		}
		cmd = exec.Command("xdg-open", url)
	}
	if err := cmd.Start(); err == nil {
		go func() { _ = cmd.Wait() }() // reaps it; how it ends is its own affair
	}
}
