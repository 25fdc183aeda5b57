package luabind

import (
	"regexp"

	"github.com/hindcast/hindcast/world"
)

// What a file that does not parse seems to declare.
var (
	rxDeclares = regexp.MustCompile(`(?:(\w+)\s*=\s*)?\bobject\s*\(?\s*["'](\w+)["']`)
	rxMethod   = regexp.MustCompile(`\bfunction\s+(\w+)\s*[.:]\s*(\w+)`)
)

// unreadClasses takes the classes that a file seems to declare for known, with
// whatever they may hold: that they are missing follows from the file's error.
func (l *linter) unreadClasses(f world.Source) {
	for _, m := range rxDeclares.FindAllStringSubmatch(f.Text, -1) {
		c := newLintClass(m[2], f.Name, nil)
		l.classes[c.name] = c
		if m[1] != "" {
			l.vars[m[1]] = c
		}
	}
}

// unreadMethods takes the methods that a file seems to give to classes for known.
func (l *linter) unreadMethods(f world.Source) {
	for _, m := range rxMethod.FindAllStringSubmatch(f.Text, -1) {
		if c := l.vars[m[1]]; c != nil {
			c.members[m[2]] = true
		}
	}
}
