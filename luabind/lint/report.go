package lint

import (
	"fmt"
	"slices"

	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
)

// report collects findings in the file that is being walked, and in others.
type report struct {
	files []world.Source
	file  string // that is being walked
	found []Finding
}

// begin starts a file.
func (r *report) begin(file string) { r.file = file }

// current returns the file that is being walked.
func (r *report) current() string { return r.file }

// findings returns the reported findings.
func (r *report) findings() []Finding { return r.found }

// say reports a finding in the current file, at the column of name.
func (r *report) say(line int, name, hint, format string, args ...any) {
	r.sayIn(syntax.Place{File: r.file, Line: line}, name, hint, format, args...)
}

// sayIn reports a finding at a place.
func (r *report) sayIn(at syntax.Place, name, hint, format string, args ...any) {
	r.sayOf(topic{}, at, name, hint, format, args...)
}

// sayAbout is say for a finding about a thing that others may be about, too.
func (r *report) sayAbout(of topic, line int, name, hint, format string, args ...any) {
	r.sayOf(of, syntax.Place{File: r.file, Line: line}, name, hint, format, args...)
}

// sayOf reports a finding at a place about a thing.
func (r *report) sayOf(of topic, at syntax.Place, name, hint, format string, args ...any) {
	f := Finding{File: at.File, Line: at.Line, Column: columnOf(textOf(r.files, at.File), at.Line, name),
		Message: fmt.Sprintf(format, args...), Hint: hint, about: of}
	i := slices.IndexFunc(r.found, func(o Finding) bool { return o.File == f.File && o.Line == f.Line && o.Column == f.Column })
	switch {
	case i < 0, of.sort != anyThing && r.found[i].about == of: // one finding names the places of several
		r.found = append(r.found, f)
	case r.found[i].about.sort == anAside: // which may follow from this one
		r.found[i] = f
	}
}

// saidAt reports whether there is a finding in the current file at the column of a name.
func (r *report) saidAt(line int, name string) bool {
	column := columnOf(textOf(r.files, r.file), line, name)
	return slices.ContainsFunc(r.found, func(f Finding) bool { return f.File == r.file && f.Line == line && f.Column == column })
}

// didYouMean returns the hint for a name that does not exist.
func didYouMean(name string, known []string, fallback string) string {
	if near := ident.Nearest(name, known); len(near) > 0 {
		return "did you mean " + near[0] + "?"
	}
	return fallback
}

// theyDeclare returns the hint that lists the classes of the scripts.
func theyDeclare(classes []string) string {
	if len(classes) == 0 {
		return "the scripts declare no class"
	}
	return "the scripts declare " + world.Listed(classes)
}
