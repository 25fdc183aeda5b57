package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"

	"github.com/hindcast/hindcast/cmd/host/cli"
	"github.com/hindcast/hindcast/cmd/host/localpage"
	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/replay"
	"github.com/hindcast/hindcast/runtime/replay/zstd"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/scripts"
	"github.com/hindcast/hindcast/world"
)

const replayUsage = `[flags] FILE

Inspects a replay that host -record wrote; without flags, prints a summary.
docs/replay.md has the details. Example:

  host replay match.replay -to 812`

// replayOptions are the flags of host replay.
type replayOptions struct {
	file         string
	verify, dump bool
	to           world.Tick
	toSet        bool
	game         string
	http         string // "": not requested
	httpHosts    []string
}

func parseReplay(args []string) (o replayOptions, err error) {
	fs := cli.NewFlags("host replay", replayUsage)
	to := fs.Uint64("to", 0, "stop at `TICK` (default: the last one)")
	fs.BoolVar(&o.verify, "verify", false, "simulate the match and compare every tick; exit 5 if one differs")
	fs.BoolVar(&o.dump, "dump", false, "print the records, one a line; with -to, the objects after that tick")
	fs.StringVar(&o.game, "game", "", "simulate the match with the scripts in `DIR` and name the first difference")
	fs.StringVar(&o.http, "http", "", "serve the match as a page at `ADDR`, until interrupted")
	names := localpage.NamesFlag(fs)
	words, err := fs.Parse(args)
	if err != nil {
		return o, err
	}
	o.httpHosts = names()
	o.toSet, o.to = fs.IsSet("to"), world.Tick(*to)
	modes := 0
	fs.Visit(func(g *flag.Flag) { // those on the command line: HINDCAST_HTTP may be there for host run
		if slices.Contains([]string{"verify", "dump", "game", "http"}, g.Name) {
			modes++
		}
	})
	switch {
	case len(words) == 0:
		return o, cli.Fail(cli.Usage, fmt.Errorf("want the replay FILE that host -record wrote"))
	case modes > 1:
		return o, cli.Fail(cli.Usage, fmt.Errorf("-verify, -dump, -game and -http exclude each other"))
	case *to > 1<<32-1:
		return o, cli.Fail(cli.Usage, fmt.Errorf("-to %d: ticks are below 2^32", *to))
	}
	o.file = words[0]
	if err := (cli.Addr{Text: o.http}).Check("-http"); err != nil && o.http != "" {
		return o, err
	}
	return o, cli.AtMost(1, words)
}

// tape is an opened replay.
type tape struct {
	replay *replay.Player
	file   *replay.File
	first  *bundle.Bundle // of the match
	bytes  int64          // of the file
	out    *bufio.Writer
}

// replayFile returns the command host replay.
func replayFile(ctx context.Context, args []string) error {
	o, err := parseReplay(args)
	if err != nil {
		return err
	}
	if o.http != "" { // which ends in peace when it is interrupted
		return inspect(ctx, &o)
	}
	return until(ctx, func() error { return inspect(ctx, &o) })
}

// inspect opens the file of a replay and does what the flags select.
func inspect(ctx context.Context, o *replayOptions) error {
	log := cli.NewLogger(slog.LevelInfo)
	f, err := scripts.Open(o.file)
	if err != nil {
		return err
	}
	defer f.Close()
	t, err := openTape(ctx, f, o.file)
	if err != nil {
		return err
	}
	if !o.toSet {
		o.to = t.replay.Last()
	}
	damage := t.replay.Damage()
	if errors.Is(damage, replay.ErrTruncated) { // the host was killed: the rest of the file is good
		log.Warn(fmt.Sprintf("%s: %v", o.file, damage), "last", uint32(t.replay.Last()))
		damage = nil
	}
	err = inFile(o.file, t.do(ctx, o, log))
	if err == nil && damage != nil {
		err = fmt.Errorf("%s: %w; ticks up to %d are good", o.file, damage, t.replay.Last())
	}
	return errors.Join(err, t.out.Flush())
}

// inFile names the file in an error about what it holds.
func inFile(name string, err error) error {
	if errors.Is(err, replay.ErrCorrupt) || errors.Is(err, replay.ErrVersion) {
		return fmt.Errorf("%s: %w", name, err)
	}
	return err
}

func openTape(ctx context.Context, f *os.File, name string) (*tape, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	file, err := replay.Open(interruptible{ctx, f}, info.Size(), zstd.New())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	first, err := file.Source(file.Bundles[0].Hash)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	r, err := replay.NewPlayer(file, luabind.Compile)
	if err := inFile(name, err); err != nil {
		return nil, cli.Fail(cli.Config, err)
	}
	r.Each = func(world.Tick) error { return ctx.Err() }
	return &tape{r, file, first, info.Size(), bufio.NewWriter(os.Stdout)}, nil
}

// interruptible is a file that cannot be read any more when a context is done: a replay with a million blocks takes a
// while to open.
type interruptible struct {
	ctx  context.Context
	file io.ReaderAt
}

func (f interruptible) ReadAt(b []byte, at int64) (int, error) {
	if err := f.ctx.Err(); err != nil {
		return 0, err
	}
	return f.file.ReadAt(b, at)
}

// do carries out the action that the flags select.
func (t *tape) do(ctx context.Context, o *replayOptions, log *slog.Logger) error {
	switch {
	case o.toSet && (o.to < t.replay.First() || o.to > t.replay.Last()):
		return fmt.Errorf("-to %d: %w: it has ticks %d to %d", o.to, replay.ErrNoTick,
			t.replay.First(), t.replay.Last())
	case o.verify:
		return t.verify(o.to)
	case o.game != "":
		return t.against(o.game, o.to)
	case o.http != "":
		query := ""
		if o.toSet {
			query = fmt.Sprintf("?tick=%d", o.to)
		}
		return t.serve(ctx, o, query, log)
	case o.dump && o.toSet:
		return t.dumpState(o.to)
	case o.dump:
		return t.dumpEvents()
	}
	t.summary()
	if o.toSet {
		return t.showTick(o.to, o.file)
	}
	return nil
}

// summary prints a summary of the file.
func (t *tape) summary() {
	setup := &t.first.Setup
	end := "the host did not stop properly"
	if t.file.Ended {
		end = "the host stopped properly"
	}
	keys := 0
	for i := range t.file.Blocks {
		if t.file.Blocks[i].HasKey {
			keys++
		}
	}
	fmt.Fprintf(t.out, "game %s, %d Hz, seed %d\n", t.first.Game, setup.TickRate, setup.Seed)
	fmt.Fprintf(t.out, "ticks %d to %d (%.1f s), committed up to %d; %s\n", t.replay.First(), t.replay.Last(),
		float64(t.replay.Last()-t.replay.First())/float64(setup.TickRate), t.replay.Committed(), end)
	fmt.Fprintf(t.out, "%d bytes in %d blocks, %d keyframes\n", t.bytes, len(t.file.Blocks), keys)
	for _, b := range t.replay.Bundles() {
		fmt.Fprintf(t.out, "bundle %d %s from tick %d, %d files\n", b.Number, b.Hash, b.Tick, b.Files)
	}
}

// verify simulates the match again and compares the states.
func (t *tape) verify(to world.Tick) error {
	done, err := t.replay.Verify(to)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	if d := (*replay.Divergence)(nil); errors.As(err, &d) {
		fmt.Fprintln(t.out, d)
		for _, other := range d.Differences[min(1, len(d.Differences)):] {
			fmt.Fprintf(t.out, "  %s\n", other)
		}
		return fmt.Errorf("%w: %w", timeline.ErrDesync, err)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(t.out,
		"ok: %d ticks (%d committed) have the recorded hash, simulated once and with %d rewinds; %d states agree\n",
		done.Ticks, done.Committed, done.Rewinds, done.States)
	return nil
}

// against simulates the match with edited scripts and prints the first difference.
func (t *tape) against(dir string, to world.Tick) error {
	game, err := openGame(dir)
	if err != nil {
		return cli.Fail(cli.Config, err)
	}
	newest := t.replay.Bundles()[len(t.replay.Bundles())-1]
	played, err := t.file.Source(newest.Hash)
	if err != nil {
		return err
	}
	game.Bundle.Setup.Seed = played.Setup.Seed
	script, err := game.Compile(luabind.Compile)
	if err != nil {
		return cli.Fail(cli.Config, err)
	}
	o, ticks, err := t.replay.Against(script, to)
	if err != nil {
		return err
	}
	if o == nil {
		fmt.Fprintf(t.out, "the same: %d ticks under bundle %d do not change with %s\n", ticks, newest.Number, dir)
		return nil
	}
	fmt.Fprintf(t.out, "tick %d: object %s (%s): %s: was %s, is %s\n", o.Tick, o.Object, o.Class, o.Field, o.Was, o.Is)
	t.cause("was", "", o, o.Before)
	t.cause("is", game.dir, o, o.After)
	if o.Before == nil && o.After == nil {
		fmt.Fprintln(t.out,
			"  all scripts did the same in that tick: something declared (body, objProps, the level) differs")
	}
	return nil
}

// cause prints a script line that made a difference.
func (t *tape) cause(when, dir string, o *replay.EditDivergence, c *timeline.Effect) {
	if c == nil {
		return
	}
	if dir != "" {
		dir += "/"
	}
	of := ""
	if c.Object != o.Object {
		of = fmt.Sprintf(" (of object %s)", c.Object)
	}
	fmt.Fprintf(t.out, "  %-3s %s%s%s\n", when, dir, c, of)
}
