package api

import (
	"slices"
	"strings"
)

// Section is a part of what scripts can use: global functions, the methods of
// objects, a table of the library, hooks, or what a declaration may hold. The
// reference for people and the definitions for editors are both made of it; a
// test holds it equal to what is bound.
type Section struct {
	Title string
	// Of is what the members belong to: "" globals; "math" and the like, a
	// table of the library; with a capital, the editors' name of a class.
	Of      string
	Kind    SectionKind
	Text    string
	Members []Member
}

// SectionKind is the kind of a Section's members.
type SectionKind uint8

// The kinds of sections.
const (
	Functions SectionKind = iota // called with a dot, or global
	Methods                      // called with a colon
	Hooks                        // declared by scripts, called by the host
	Keys                         // of a table that a declaration or an argument is
)

// Member is a function, a hook or a key. Types are written as editors know
// them (LuaCATS): number?, string|string[], fun(): number.
type Member struct {
	Name    string
	Params  []Param // nil for a key
	Returns []Param
	Type    string // of a key
	Text    string
}

// Param is a parameter or a result.
type Param struct {
	Name, Type string
	Optional   bool
}

// Keys returns the keys of a table that a parameter is, as its type lists them; nil for other types.
// The value without a key is [1].
func (p *Param) Keys() (keys []string) {
	table, ok := strings.CutPrefix(p.Type, "{ ")
	if !ok {
		return nil
	}
	for _, field := range strings.Split(table, ", ") {
		key, _, _ := strings.Cut(field, ":")
		keys = append(keys, strings.TrimSuffix(key, "?"))
	}
	return keys
}

// KeyType returns the type of a key of the table that a parameter is; empty: it is not listed.
func (p *Param) KeyType(key string) string {
	table, ok := strings.CutPrefix(p.Type, "{ ")
	if !ok {
		return ""
	}
	for _, field := range strings.Split(strings.TrimSuffix(table, " }"), ", ") {
		if name, of, _ := strings.Cut(field, ": "); strings.TrimSuffix(name, "?") == key {
			return of
		}
	}
	return ""
}

// Arguments returns how many arguments a function takes at least and at most. most is -1
// if there is no limit.
func (m *Member) Arguments() (least, most int) {
	for _, p := range m.Params {
		if p.Name == "..." {
			return least, -1
		}
		if !p.Optional {
			least++
		}
	}
	return least, len(m.Params)
}

// Signature returns how a function is called: attach(holder [, dx [, dy]]).
func (m *Member) Signature() string {
	var b strings.Builder
	open := 0
	for i, p := range m.Params {
		switch {
		case p.Optional && i == 0:
			b.WriteString("[")
		case p.Optional:
			b.WriteString(" [, ")
		case i > 0:
			b.WriteString(", ")
		}
		if p.Optional {
			open++
		}
		b.WriteString(p.Name)
	}
	return m.Name + "(" + b.String() + strings.Repeat("]", open) + ")"
}

// Sections returns all that scripts can use, in the order in which people read it.
func Sections() []Section {
	return slices.Concat(gameAPI(), viewAPI(), libraryAPI(), testAPI(), botAPI())
}

// namesOf returns the names of the members of a table or a class.
func namesOf(of string, sections []Section) (names []string) {
	for _, s := range sections {
		if s.Of != of {
			continue
		}
		for i := range s.Members {
			names = append(names, s.Members[i].Name)
		}
	}
	return names
}

// memberOf returns a member of a table or a class, nil if there is none.
func memberOf(of, name string, sections []Section) *Member {
	for _, s := range sections {
		if s.Of != of {
			continue
		}
		if m := memberNamed(name, s.Members); m != nil {
			return m
		}
	}
	return nil
}

func memberNamed(name string, members []Member) *Member {
	for i := range members {
		if members[i].Name == name {
			return &members[i]
		}
	}
	return nil
}

// TestMethods returns the methods of the t that a test is given.
func TestMethods() []string { return namesOf("Test", testAPI()) }

// TestWorldMethods returns the methods of a test's world.
func TestWorldMethods() []string { return namesOf("TestWorld", testAPI()) }

// NetProfiles returns the names of the connections that the net of t:world takes.
func NetProfiles() []string { return []string{"off", "lan", "average", "bad", "awful", "burst"} }

// TestMethod returns the method of the t that a test is given, nil if there is none.
func TestMethod(name string) *Member { return memberOf("Test", name, testAPI()) }

// TestWorldMethod returns the method of a test's world, nil if there is none.
func TestWorldMethod(name string) *Member { return memberOf("TestWorld", name, testAPI()) }

// ViewFunction returns a function that view.lua has besides those of all scripts, nil if there is none.
func ViewFunction(name string) *Member {
	for _, s := range ofView {
		if m := memberNamed(name, s.Members); m != nil {
			return m
		}
	}
	return nil
}

// BotWorldFunction returns the function of the world that a bot is given, nil if there is
// none.
func BotWorldFunction(name string) *Member {
	if m := memberOf("BotWorld", name, botAPI()); m != nil {
		return m
	}
	return memberNamed(name, looks())
}

// BotWorldMembers returns the members of the world that a bot is given.
func BotWorldMembers() []string {
	names := []string{"arena"}
	for _, m := range looks() {
		names = append(names, m.Name)
	}
	return append(names, namesOf("BotWorld", botAPI())...)
}

// list makes members from pairs: a signature and its description.
func list(pairs ...string) (out []Member) {
	for i := 0; i+1 < len(pairs); i += 2 {
		m := parseMember(pairs[i])
		m.Text = pairs[i+1]
		out = append(out, m)
	}
	return out
}

// parseMember reads "name(a: number, b?: string) -> x: number" or "key: type".
func parseMember(s string) (m Member) {
	name, rest, isFunction := strings.Cut(s, "(")
	if key, kind, isKey := strings.Cut(s, ": "); isKey && (!isFunction || len(key) < len(name)) {
		return Member{Name: key, Type: kind}
	}
	end := closing(rest)
	m = Member{Name: name, Params: parseParams(rest[:end])}
	if _, gives, ok := strings.Cut(rest[end:], ") -> "); ok {
		m.Returns = parseParams(gives)
	}
	return m
}

// closing returns where the bracket closes that is open at the start of s.
func closing(s string) int {
	depth := 0
	for i, c := range s {
		switch {
		case c == '(':
			depth++
		case c == ')' && depth == 0:
			return i
		case c == ')':
			depth--
		}
	}
	return len(s)
}

func parseParams(s string) (out []Param) {
	out = []Param{}
	for s != "" {
		part := s
		depth := 0
	scan:
		for i, c := range s {
			switch c {
			case '(', '<', '{':
				depth++
			case ')', '>', '}':
				depth--
			case ',':
				if depth == 0 {
					part = s[:i]
					break scan
				}
			}
		}
		name, kind, _ := strings.Cut(part, ": ")
		name, optional := strings.CutSuffix(strings.TrimSpace(name), "?")
		out = append(out, Param{Name: name, Type: kind, Optional: optional})
		s = strings.TrimPrefix(strings.TrimPrefix(s, part), ",")
	}
	return out
}
