package cli

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
)

// Flags are a command's flags. Each can also be given in the environment:
// -listen as HINDCAST_LISTEN. The command line beats the environment.
type Flags struct {
	*flag.FlagSet
	set map[string]bool // given on the command line or in the environment
}

// NewFlags begins the flags of a command; usage is what follows its name.
func NewFlags(command, usage string) *Flags {
	f := &Flags{FlagSet: flag.NewFlagSet(command, flag.ContinueOnError), set: map[string]bool{}}
	f.Usage = func() {
		fmt.Fprintf(f.Output(), "usage: %s %s\n\n", command, usage)
		f.PrintDefaults()
	}
	return f
}

// Parse reads the words of a command line; flags may stand anywhere among
// them, and "--" ends them. It gives the words that are not flags.
func (f *Flags) Parse(args []string) (words []string, err error) {
	for {
		if err := f.FlagSet.Parse(args); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				return nil, err
			}
			return nil, Fail(Usage, err)
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

// environment takes the flags that the command line left alone from
// HINDCAST_ variables.
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

// Given reports whether a flag was set, on the command line or in the environment.
func (f *Flags) Given(name string) bool { return f.set[name] }

// AtMost refuses more words than a command takes.
func AtMost(n int, words []string) error {
	if len(words) > n {
		return Fail(Usage, fmt.Errorf("unexpected %q (-h shows what is)", words[n]))
	}
	return nil
}
