package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	goruntime "runtime"
	"time"

	"github.com/hindcast/hindcast/cmd/host/cli"
)

// openPage serves the game page: at a free port if the default one is taken.
func (s *session) openPage() (err error) {
	s.page, err = newPage(s.opts.http, s.log)
	if cli.Taken(err) && !s.opts.httpGiven {
		if s.page, err = newPage(cli.AnyPort(s.opts.http), s.log); err == nil {
			cli.GaveWay(s.log, "HTTP", "the game page is", s.opts.http, s.page.URL(), "-http")
		}
	}
	if err != nil {
		return cli.WhatToDo(fmt.Errorf("game page: %w", err), s.opts.http, "-http")
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
