package api

import (
	"maps"
	"slices"

	"github.com/hindcast/hindcast/luabind/internal/ident"
)

// Library knows every name that belongs to the language and its library, as
// the sections describe them.
type Library struct {
	globals  map[string]bool
	members  map[string]map[string]bool // of the tables among the globals
	methods  map[string]bool            // of objects
	called   map[string]*Member         // functions and methods: "spawn", "math.abs", ":setForce"
	reserved []string
}

// otherGlobals are the globals of every script that are not functions.
var otherGlobals = []string{"_VERSION", "arena", "game"}

// otherReserved are the members that every object has besides its methods.
var otherReserved = []string{"class", "id", "objProps", "owner"}

// ofScripts is the library of a game's scripts. It never changes.
var ofScripts = readLibrary(slices.Concat(gameAPI(), libraryAPI()))

// NewLibrary returns the library of a game's scripts, with extra functions that
// files of a special kind can call.
func NewLibrary(extra ...string) *Library {
	if len(extra) == 0 {
		return ofScripts
	}
	l := *ofScripts
	l.globals = maps.Clone(l.globals)
	for _, n := range extra {
		l.globals[n] = true
	}
	return &l
}

// later are the functions that the library did not have at first. A game may have globals of its own with these names,
// because it may be older.
var later = []string{After, Every, "coroutine", "entry", "fillTeams", "getmetatable", "level", "pcall", "player",
	"rawequal", "rawget", "rawset", "require", "resetStats", "setmetatable", "setTeam", "smallestTeam", "stats",
	"stopTimer", "takeOver", "teamColor", "teams", "tell", "timeLeft", "xpcall"}

// Without returns the library without those functions of its that a game, which assigns these globals, has of its own.
func (l *Library) Without(assigned map[string]bool) *Library {
	own := slices.DeleteFunc(slices.Clone(later), func(n string) bool { return !assigned[n] })
	if len(own) == 0 {
		return l
	}
	less := *l
	less.globals, less.called = maps.Clone(l.globals), maps.Clone(l.called)
	for _, n := range own {
		delete(less.globals, n)
		delete(less.called, n)
	}
	return &less
}

// readLibrary reads the names out of sections.
func readLibrary(sections []Section) *Library {
	l := &Library{
		globals: map[string]bool{},
		members: map[string]map[string]bool{},
		methods: map[string]bool{},
		called:  map[string]*Member{},
	}
	for _, s := range sections {
		switch {
		case s.Kind == Functions && s.Of == "":
			addNames(l.globals, s.Members)
			l.addCalled("", s.Members)
		case s.Kind == Functions:
			l.globals[s.Of] = true
			l.members[s.Of] = map[string]bool{}
			addNames(l.members[s.Of], s.Members)
			l.addCalled(s.Of+".", s.Members)
		case s.Kind == Methods && s.Of == "Object":
			addNames(l.methods, s.Members)
			l.addCalled(":", s.Members)
		}
	}
	for _, n := range otherGlobals {
		l.globals[n] = true
	}
	l.reserved = append(ident.Keys(l.methods), otherReserved...)
	slices.Sort(l.reserved)
	return l
}

func addNames(to map[string]bool, members []Member) {
	for i := range members {
		to[members[i].Name] = true
	}
}

// addCalled notes the members that can be called.
func (l *Library) addCalled(prefix string, members []Member) {
	for i := range members {
		if m := &members[i]; m.Params != nil {
			l.called[prefix+m.Name] = m
		}
	}
}

// Function returns a function of the library: a global, or a member of the table base. It
// is nil if there is none.
func (l *Library) Function(base, name string) *Member {
	if base != "" {
		name = base + "." + name
	}
	return l.called[name]
}

// Method returns a method of all objects, nil if there is none.
func (l *Library) Method(name string) *Member { return l.called[":"+name] }

// Has reports whether name is a global of the library.
func (l *Library) Has(name string) bool { return l.globals[name] }

// Globals returns the globals of the library, sorted.
func (l *Library) Globals() []string { return ident.Keys(l.globals) }

// HasMethod reports whether every object has a method of this name.
func (l *Library) HasMethod(name string) bool { return l.methods[name] }

// Reserved returns the names that no field and no method of a script may take,
// sorted.
func (l *Library) Reserved() []string { return l.reserved }

// HasMember reports whether base is a table of the library with the member key.
func (l *Library) HasMember(base, key string) bool { return l.members[base][key] }

// NoMember returns what is wrong with base.key: "" unless base is a table of
// the library without such a member.
func (l *Library) NoMember(base, key string) string {
	m, ok := l.members[base]
	if !ok || m[key] {
		return ""
	}
	return base + "." + key + " does not exist" + Instead(base+"."+key, ident.Keys(m), base+".")
}
