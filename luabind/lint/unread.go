package lint

import (
	"regexp"

	"github.com/hindcast/hindcast/world"
)

// What a file that does not parse seems to declare.
var (
	rxDeclares = regexp.MustCompile(`(?:(\w+)\s*=\s*)?\bobject\s*\(?\s*["'](\w+)["']`)
	rxMethod   = regexp.MustCompile(`\bfunction\s+(\w+)\s*[.:]\s*(\w+)`)
)

// unreadClasses adds the classes that a file which does not parse seems to
// declare, with any members: that they are missing follows from the file's error.
func (g *game) unreadClasses(f world.Source) {
	for _, m := range rxDeclares.FindAllStringSubmatch(f.Text, -1) {
		c := newClass(m[2], f.Name, nil)
		g.classes[m[2]] = c
		if m[1] != "" {
			g.vars[m[1]] = c
		}
	}
}

// unreadMethods adds the methods that a file which does not parse seems to give
// to classes.
func (g *game) unreadMethods(f world.Source) {
	for _, m := range rxMethod.FindAllStringSubmatch(f.Text, -1) {
		if c := g.vars[m[1]]; c != nil {
			c.addMember(m[2])
		}
	}
}
