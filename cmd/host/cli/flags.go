package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Flags are a command's flags. Each can also be given in the environment:
// -listen as HINDCAST_LISTEN. The command line beats the environment.
type Flags struct {
	*flag.FlagSet
	set  map[string]bool // given on the command line or in the environment
	help func()
}

// NewFlags returns the flags of a command, none yet. usage is what the help shows
// after the command's name: its words, then, after an empty line, what it does,
// and an example.
func NewFlags(command, usage string) *Flags {
	f := &Flags{FlagSet: flag.NewFlagSet(command, flag.ContinueOnError), set: map[string]bool{}}
	f.Usage = func() {} // the package's own would follow every error
	f.help = func() {
		fmt.Fprintf(f.Output(), "usage: %s %s\n", command, usage)
		flags := false
		f.VisitAll(func(*flag.Flag) { flags = true })
		if flags {
			fmt.Fprintln(f.Output())
			f.PrintDefaults()
		}
	}
	return f
}

// Parse reads a command line and returns the words that are not flags. Flags may
// stand anywhere among the words; "--" ends them.
func (f *Flags) Parse(args []string) (words []string, err error) {
	for {
		if err := f.some(args); err != nil {
			return nil, err
		}
		ended := len(args) > f.NArg() && args[len(args)-f.NArg()-1] == "--"
		args = f.Args()
		if ended || len(args) == 0 {
			words = append(words, args...)
			break
		}
		words, args = append(words, args[0]), args[1:]
	}
	f.Visit(func(g *flag.Flag) { f.set[g.Name] = true })
	return words, f.environment()
}

// some reads flags up to the first other word. It prints nothing about a wrong
// flag: the caller prints the error.
func (f *Flags) some(args []string) error {
	out := f.Output()
	f.SetOutput(io.Discard)
	err := f.FlagSet.Parse(args)
	f.SetOutput(out)
	switch {
	case errors.Is(err, flag.ErrHelp):
		f.help()
		return err
	case err != nil:
		return Fail(Usage, f.explained(err))
	}
	return nil
}

var rxInvalid = regexp.MustCompile(`^invalid (?:boolean )?value "(.*)" for (?:flag )?-([\w-]+): (.*)$`)

// explained adds advice to an error of package flag.
func (f *Flags) explained(err error) error {
	m := rxInvalid.FindStringSubmatch(err.Error())
	if m == nil {
		return fmt.Errorf("%w; %s -h lists the flags", err, f.Name())
	}
	why := m[3]
	if why == "parse error" { // package flag gives no details
		why = "say a whole number"
		if b, ok := f.Lookup(m[2]).Value.(interface{ IsBoolFlag() bool }); ok && b.IsBoolFlag() {
			why = "say true or false"
		}
	}
	return fmt.Errorf("-%s %s: %s", m[2], m[1], why)
}

// DurationVar is flag.DurationVar with an error that says how to write a time.
func (f *Flags) DurationVar(p *time.Duration, name string, value time.Duration, usage string) {
	*p = value
	f.Var((*duration)(p), name, usage)
}

type duration time.Duration

// String returns the time as a command line has it.
func (d *duration) String() string {
	if d == nil || *d == 0 {
		return ""
	}
	return time.Duration(*d).String()
}

// Set reads a time.
func (d *duration) Set(s string) error {
	v, err := time.ParseDuration(s)
	if err != nil {
		example := "5"
		if _, bare := strconv.ParseFloat(s, 64); bare == nil {
			example = s
		}
		return fmt.Errorf("say %ss or %sm", example, example)
	}
	*d = duration(v)
	return nil
}

// environment sets the flags that the command line does not have from HINDCAST_
// variables.
func (f *Flags) environment() error {
	var bad error
	f.VisitAll(func(g *flag.Flag) {
		name := "HINDCAST_" + strings.ToUpper(strings.ReplaceAll(g.Name, "-", "_"))
		value, ok := os.LookupEnv(name)
		if !ok || f.set[g.Name] || bad != nil {
			return
		}
		if err := g.Value.Set(value); err != nil {
			bad = Fail(Usage, fmt.Errorf("%s=%q: %w", name, value, err))
			return
		}
		f.set[g.Name] = true
	})
	return bad
}

// IsSet reports whether a flag was set, on the command line or in the environment.
func (f *Flags) IsSet(name string) bool { return f.set[name] }

// AtMost returns a usage error if there are more words than a command takes.
func AtMost(n int, words []string) error {
	if len(words) > n {
		return Fail(Usage, fmt.Errorf("unexpected %q (-h shows the usage)", words[n]))
	}
	return nil
}
