package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/hindcast/hindcast/cmd/host/cli"
	"github.com/hindcast/hindcast/cmd/host/netbench"
	"github.com/hindcast/hindcast/net/memlink"
)

// netScenes is the prefix of the scenes that are played over simulated
// connections, on virtual time. By itself it names all of them.
const netScenes = "net-"

// netOptions are the flags of these scenes.
type netOptions struct {
	line string
	play time.Duration
}

func (o *netOptions) flags(fs *cli.Flags) {
	fs.StringVar(&o.line, "net", "",
		"scenes net-...: only over connections of this `PROFILE`, as in client -net (default: off, average, bad, "+
			"awful and burst)")
	fs.DurationVar(&o.play, "for", 10*time.Minute, "scenes net-...: play for `DUR` of virtual time")
}

// lines returns the requested connections.
func (o *netOptions) lines() ([]netbench.Line, error) {
	if o.line == "" {
		return netbench.Lines(), nil
	}
	profile, err := memlink.ParseProfile(o.line)
	if err != nil {
		return nil, fmt.Errorf("-net: %w", err)
	}
	return []netbench.Line{{Name: profile.String(), Profile: profile}}, nil
}

// measure plays the scenes of a name and prints the results.
func (o *netOptions) measure(ctx context.Context, name string, asJSON bool) error {
	lines, err := o.lines()
	if err != nil {
		return cli.Fail(cli.Usage, err)
	}
	if o.play < time.Second {
		return cli.Fail(cli.Usage, fmt.Errorf("-for %v: must be at least a second", o.play))
	}
	results := []netbench.Result{}
	var names []string
	for _, scene := range netbench.Scenes() {
		names = append(names, scene.Name)
		if name != netScenes && name != scene.Name {
			continue
		}
		for _, line := range lines {
			r, err := netbench.Measure(ctx, scene, line, o.play)
			if err != nil {
				return fmt.Errorf("%s on %s: %w", scene.Name, line.Name, err)
			}
			results = append(results, r)
			if !asJSON {
				r.Print(os.Stdout)
			}
		}
	}
	return o.conclude(results, names, name, asJSON)
}

// conclude prints the JSON. A difference between host and client is an error.
func (o *netOptions) conclude(results []netbench.Result, names []string, name string, asJSON bool) error {
	if len(results) == 0 {
		return cli.Fail(cli.Usage, fmt.Errorf("-scene %s: no such scene; there are %v", name, names))
	}
	var err error
	if asJSON {
		err = json.NewEncoder(os.Stdout).Encode(results)
	}
	for _, r := range results {
		if r.Mismatched > 0 {
			err = errors.Join(err,
				cli.Fail(cli.Desync, fmt.Errorf("%s on %s: %d confirmed ticks differ", r.Scene, r.Line, r.Mismatched)))
		}
	}
	return err
}
