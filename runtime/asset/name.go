package asset

import "strings"

// checkName returns why a file cannot be called name, nil if it can. A name has the letters a-z and A-Z,
// digits, "-", "_" and ".", and may have folders, each after a "/". No part begins with a dot, so
// no name leads out of the folder.
func checkName(name string) error {
	if name == "" || len(name) > MaxName {
		return invalid(name, "the name has %d bytes: must be 1 to %d", len(name), MaxName)
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == "" || strings.HasPrefix(part, ".") ||
			strings.ContainsFunc(part, func(c rune) bool { return !plain(c) }) {
			return invalid(name, "a name has only letters a to z, digits, -, _ and dots, and does not begin with a dot")
		}
	}
	if KindOf(name) == 0 {
		return invalid(name, "the name must end in one of %s", strings.Join(kindNames(), ", "))
	}
	return nil
}

func plain(c rune) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("-_.", c)
}

// paths has the files and folders of a manifest, by their names in lower case, so that any file system can have all
// of them. Folders end in "/".
type paths map[string]string

// add adds a file and its folders. The error names the file that cannot be beside an earlier one.
func (p paths) add(name string) error {
	for i := range len(name) {
		if name[i] != '/' {
			continue
		}
		if err := p.take(name, name[:i], name[:i+1]); err != nil {
			return err
		}
	}
	return p.take(name, name, name)
}

func (p paths) take(file, path, as string) error {
	key := strings.ToLower(path)
	switch other, taken := p[key]; {
	case !taken:
		p[key] = as
	case other != as && strings.EqualFold(other, as):
		return invalid(file, "%s differs from %s only in capital letters", as, other)
	case other != as:
		return invalid(file, "%s cannot be a file and a folder", path)
	}
	return nil
}
