package host

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/hindcast/hindcast/world"
)

// isCommand reports whether a line of chat is a command: a slash, the name of a function, and arguments.
func isCommand(line string) bool { return strings.HasPrefix(line, "/") }

// readCommand returns the name and the arguments of the CallEvent that a command of a player stands for. Arguments
// are separated by spaces; the last one gets the rest of the line if it is a string. The error, which is for
// the player, wraps world.ErrNoFunction or world.ErrValue. /help has no function unless the game declares
// one: the answer is the error.
func readCommand(fs world.Functions, p world.PlayerID, line string) (name string, args []world.NamedValue, err error) {
	name, rest, _ := strings.Cut(strings.TrimPrefix(line, "/"), " ")
	at := slices.IndexFunc(fs, func(f world.Function) bool { return f.Name == name && f.Command })
	switch {
	case at < 0 && name == "help":
		return "", nil, errors.New(commands(fs))
	case at < 0:
		return "", nil, fmt.Errorf("%w: /%s; %s", world.ErrNoFunction, name, commands(fs))
	}
	f := &fs[at]
	args = append(args, world.NamedValue{Value: world.NumberValue(float64(p))})
	for i := 1; i < len(f.Params); i++ {
		kind, word := f.Params[i], ""
		rest = strings.TrimSpace(rest)
		if kind == world.String && i == len(f.Params)-1 {
			word, rest = rest, ""
		} else {
			word, rest, _ = strings.Cut(rest, " ")
		}
		v, ok := argument(kind, word)
		if word == "" {
			return "", nil, fmt.Errorf("%w: write %s; a %s is missing", world.ErrValue, usage(f), kind.Word())
		}
		if !ok {
			return "", nil, fmt.Errorf("%w: write %s; %q is not a %s", world.ErrValue, usage(f), word, kind.Word())
		}
		args = append(args, world.NamedValue{Value: v})
	}
	if rest = strings.TrimSpace(rest); rest != "" {
		return "", nil, fmt.Errorf("%w: write %s, without %q", world.ErrValue, usage(f), rest)
	}
	return name, args, nil
}

// argument returns the value that a word of a command stands for.
func argument(kind world.FieldKind, word string) (v world.Value, ok bool) {
	switch kind {
	case world.String:
		return world.TextValue(word), true
	case world.Bool:
		return world.BoolValue(word == "true"), word == "true" || word == "false"
	default:
		n, err := strconv.ParseFloat(word, 64)
		return world.NumberValue(n), err == nil && !math.IsNaN(n) && !math.IsInf(n, 0)
	}
}

// usage returns how players write the command: /kick number.
func usage(f *world.Function) string {
	out := "/" + f.Name
	for _, k := range f.Params[min(1, len(f.Params)):] {
		out += " " + k.Word()
	}
	return out
}

// commands says which commands there are.
func commands(fs world.Functions) string {
	var names []string
	for i := range fs {
		if fs[i].Command {
			names = append(names, usage(&fs[i]))
		}
	}
	switch len(names) {
	case 0:
		return "this game has no commands"
	case 1:
		return "there is only " + names[0]
	}
	return "there are " + world.Listed(names)
}
