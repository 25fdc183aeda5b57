package gametest

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
)

// rxLacking matches what is said of a member that a class does not have.
var rxLacking = regexp.MustCompile(`^(\w+) has no (field or method|field|method) (\w+)(?:: .*?)?(; did you mean \w+\?)?$`)

// lacking is an object at a place of a script without a member that is read there.
type lacking struct {
	file, what, key string
	line            int
}

// oncePerPlace returns errors with one for all classes of objects that were met at a place without the member that is
// read there: other.team in onContact. Such an object is asked for its class before; to declare the member in each class
// that may come along is hardly meant. Of a line that fails in another way, too, nothing is said of a nil: what fails first
// may be why there is one.
func oncePerPlace(list []*world.ScriptError, files []world.Source) (out []*world.ScriptError) {
	list = oncePerClasses(oncePerCall(oncePerBudget(withoutNils(list))))
	classes, meant, first := map[lacking][]string{}, map[lacking]string{}, map[lacking]int{}
	for _, e := range list {
		m := rxLacking.FindStringSubmatch(e.Message)
		at := lacking{file: e.File, line: e.Line}
		of := ""
		if m != nil {
			at.what, at.key = m[2], m[3]
			of = readOf(files, at)
		}
		if of == "" || of == "self" && m[1] == e.Class || world.HoldsState(m[1]) {
			out = append(out, e)
			continue
		}
		if !slices.Contains(classes[at], m[1]) {
			classes[at] = append(classes[at], m[1])
		}
		if meant[at] == "" {
			meant[at] = m[4]
		}
		if _, again := first[at]; !again {
			first[at] = len(out)
			out = append(out, e)
		}
		slices.Sort(classes[at])
		have := " has no "
		if len(classes[at]) > 1 {
			have = " have no "
		}
		said := *e
		said.Message = world.Listed(classes[at]) + have + at.what + " " + at.key + ": look at " + of + ".class first" + meant[at]
		out[first[at]] = &said
	}
	return out
}

// oncePerBudget joins the errors of one class that are about the same budget, and differ in where it ended and where most
// of it was used: it returns the first one at the place that most of them have.
func oncePerBudget(list []*world.ScriptError) (out []*world.ScriptError) {
	places, by := map[string]int{}, map[string]int{}
	for _, e := range list {
		places[mistakeKey(e)+e.Place()]++
	}
	for _, e := range list {
		if !e.Budget {
			out = append(out, e)
			continue
		}
		key := mistakeKey(e)
		at, again := by[key]
		switch {
		case !again:
			by[key] = len(out)
			out = append(out, e)
		case places[key+e.Place()] > places[key+out[at].Place()]:
			out[at] = e
		}
	}
	return out
}

// oncePerClasses joins the errors at one place that differ only in the class of the object, as those of a hook that several
// classes inherit do.
func oncePerClasses(list []*world.ScriptError) (out []*world.ScriptError) {
	key := func(e *world.ScriptError) string {
		if e.Class == "" {
			return e.Error()
		}
		return e.Place() + regexp.MustCompile(`\b`+regexp.QuoteMeta(e.Class)+`\b`).ReplaceAllString(e.Message, "*")
	}
	by, also := map[string]int{}, map[string][]string{}
	for _, e := range list {
		k := key(e)
		if first, again := by[k]; !again {
			by[k] = len(out)
			out = append(out, e)
		} else if c := e.Class; c != out[first].Class && !slices.Contains(also[k], c) {
			also[k] = append(also[k], c)
		}
	}
	// order: each changes its own error
	for k, i := range by {
		if len(also[k]) > 0 {
			slices.Sort(also[k])
			said := *out[i]
			said.Message += " (the same for " + world.Listed(also[k]) + ")"
			out[i] = &said
		}
	}
	return out
}

// oncePerCall leaves out the errors about a local variable that is nil which one call of a function causes in several of
// its lines: the call does not give it.
func oncePerCall(list []*world.ScriptError) []*world.ScriptError {
	key := func(e *world.ScriptError) string {
		if len(e.Trace) < 2 || !strings.Contains(e.Message, " a nil value (local '") {
			return ""
		}
		return fmt.Sprintf("%s %s %v %s", e.Class, e.Trace[0].Func, e.Trace[1:], e.Message)
	}
	said := map[string]bool{}
	return slices.DeleteFunc(slices.Clone(list), func(e *world.ScriptError) bool {
		k := key(e)
		again := k != "" && said[k]
		said[k] = true
		return again
	})
}

// mistakeKey is the same for the errors of a class that are one mistake.
func mistakeKey(e *world.ScriptError) string {
	return e.Class + " " + wire.MistakeKey(e.Place(), e.Message)
}

// withoutNils returns errors without those about a nil in a line of which there is another one.
func withoutNils(list []*world.ScriptError) []*world.ScriptError {
	aboutNil := func(e *world.ScriptError) bool { return strings.Contains(e.Message, " a nil value") }
	return slices.DeleteFunc(slices.Clone(list), func(e *world.ScriptError) bool {
		return aboutNil(e) && slices.ContainsFunc(list, func(o *world.ScriptError) bool {
			return o.File == e.File && o.Line == e.Line && !aboutNil(o)
		})
	})
}

// readOf returns the variable whose member a line reads; empty: it is no variable, or there are several.
func readOf(files []world.Source, at lacking) (name string) {
	i := slices.IndexFunc(files, func(f world.Source) bool { return f.Name == at.file })
	if i < 0 {
		return ""
	}
	lines := strings.Split(files[i].Text, "\n")
	if at.line < 1 || at.line > len(lines) {
		return ""
	}
	rx := regexp.MustCompile(`(?:^|[^\w.:])(\w+)[.:]` + regexp.QuoteMeta(at.key) + `\b`)
	for _, m := range rx.FindAllStringSubmatch(lines[at.line-1], -1) {
		if name != "" && name != m[1] {
			return ""
		}
		name = m[1]
	}
	return name
}
