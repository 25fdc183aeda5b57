package lint

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/hindcast/hindcast/world"
)

// rxTwice matches the message about a class that two files declare.
var rxTwice = regexp.MustCompile(`^the class (\w+) is declared twice: (\S+):(\d+) declares it, too`)

// explainCopies says of a class that two files declare which of them was copied and has kept the name: the one whose
// methods are those of a class that no file declares. Of such a file the loader may report only that this class is not
// defined.
func explainCopies(found []Finding, files []world.Source) {
	for i := range found {
		f := &found[i]
		if m := rxTwice.FindStringSubmatch(f.Message); m != nil {
			if !copied(f, m[1], f.File, m[2], files) {
				copied(f, m[1], m[2], f.File, files)
			}
			continue
		}
		if name, _, isUndefined := strings.Cut(f.Message, " is not defined"); isUndefined && undeclaredIn(textOf(files, f.File), files) == name {
			for _, d := range rxDeclares.FindAllStringSubmatch(textOf(files, f.File), -1) {
				for _, other := range files {
					if other.Name != f.File && declaredAt(other.Text, d[2]) > 0 && copied(f, d[2], f.File, other.Name, files) {
						break
					}
				}
			}
		}
	}
}

// copied makes a finding of a file that declares a class by the name which another file declares, if its methods are
// those of a class that no file declares.
func copied(f *Finding, name, file, other string, files []world.Source) bool {
	text := textOf(files, file)
	meant, line := undeclaredIn(text, files), declaredAt(text, name)
	if meant == "" || line == 0 {
		return false
	}
	f.File, f.Line, f.Column = file, line, columnOf(text, line, name)
	f.Message = fmt.Sprintf("the class %s is declared twice: %s:%d declares it, too", name, other, declaredAt(textOf(files, other), name))
	f.Hint = "the functions of this file are those of " + meant + ": write " + meant + " = object \"" + meant + "\""
	f.about = topic{sort: aCopy, name: meant}
	return true
}

// declaredAt returns the line in which a text declares a class; 0: it does not.
func declaredAt(text, name string) int {
	for i, line := range strings.Split(text, "\n") {
		if m := rxDeclares.FindStringSubmatch(line); m != nil && m[2] == name {
			return i + 1
		}
	}
	return 0
}

// undeclaredIn returns the class whose methods a file has, and which no file declares; empty: there is none.
func undeclaredIn(text string, files []world.Source) string {
	for _, m := range rxMethod.FindAllStringSubmatch(text, -1) {
		declared := false
		for _, f := range files {
			for _, d := range rxDeclares.FindAllStringSubmatch(f.Text, -1) {
				declared = declared || d[1] == m[1] || d[2] == m[1]
			}
			declared = declared || regexp.MustCompile(`\b`+m[1]+`\s*=`).MatchString(f.Text)
		}
		if !declared {
			return m[1]
		}
	}
	return ""
}
