package lint

import (
	"fmt"
	"slices"
	"strings"
)

// subject is the sort of a thing that findings are about.
type subject uint8

const (
	anyThing    subject = iota // of which nothing is known: the finding stands for itself
	aMember                    // a member of an object, or a field that view.lua is shown
	anInputOf                  // an input of a class
	aConstant                  // a constant in objProps
	aClassName                 // a class, or a global with a name like one
	aParameter                 // a parameter of a function of the game's files
	aCue                       // a cue that view.lua shows
	aCopy                      // a class that is written with the name of another
	anAside                    // what may follow from something else that is wrong in the line
	anUnread                   // an input of a class that nothing reads
	aLevel                     // a level of game.toml
	aColour                    // a colour that a constant of a file holds
	aLongText                  // a text that is too long for a field
	aFrozen                    // a table of a file that hooks write to
	aNeverText                 // a text that nothing gives a field
	aNilLocal                  // a local variable that is given no value
	aTimerName                 // a timer that is named by a variable
	anUnstarted                // a timer that nothing starts
	aReturn                    // a return that a function lacks
	aNoTimer                   // a timer without a function
)

// topic is the thing that a finding is about. Findings about one thing have one cause.
type topic struct {
	sort subject
	of   string // the class that has it; empty: none, or any
	name string // empty: one that is not known
}

// covers reports whether what is said about one thing tells the cause of a finding about another.
func (t topic) covers(o topic) bool {
	switch {
	case t.sort == anyThing || o.sort == anyThing:
		return false
	case t.sort == anInputOf && o.sort == anUnread:
		return t.of == o.of // the hook means the one that nothing reads
	case t.sort == aCopy && o.sort == aClassName:
		return t.name == o.name
	case t.sort != o.sort || t.sort == anUnread || t.sort == anAside || t.name != o.name:
		return false
	}
	return t.of == o.of || t.of == "" || o.of == ""
}

// oncePerTopic keeps the first finding about each thing of a sorted list, and names the places of the others in it.
func oncePerTopic(found []Finding) (kept []Finding) {
	var also [][]string // by what is kept
	for _, f := range found {
		at := slices.IndexFunc(kept, func(k Finding) bool { return k.about.covers(f.about) })
		follows := slices.ContainsFunc(found, func(o Finding) bool {
			return f.about.sort == anUnread && o.about.covers(f.about) ||
				f.about.sort == aNeverText && o.about.sort == aLongText && f.about.name == o.about.name ||
				f.about.sort == anUnstarted && o.about.sort == aTimerName && f.about.name == o.about.name ||
				f.about.sort == anAside && o.about.sort != anAside && o.File == f.File && o.Line == f.Line
		})
		switch {
		case follows:
		case at < 0 && f.used != "":
			kept, also = append(kept, f), append(also, []string{f.used})
		case at < 0:
			kept, also = append(kept, f), append(also, nil)
		case f.used != "":
			also[at] = append(also[at], f.used)
		case f.about.sort == kept[at].about.sort && (f.File != kept[at].File || f.Line != kept[at].Line):
			also[at] = append(also[at], fmt.Sprintf("%s:%d", f.File, f.Line))
		}
	}
	for i, places := range also {
		word := "also"
		if kept[i].used != "" {
			word = "used"
		}
		if len(places) > 0 {
			kept[i].Hint += " (" + word + " at " + enumerated(slices.Compact(places)) + ")"
		}
	}
	return kept
}

// maxPlaces is how many further places a finding names.
const maxPlaces = 4

// enumerated joins places with commas and and.
func enumerated(places []string) string {
	if more := len(places) - maxPlaces; more > 0 {
		places = append(slices.Clone(places[:maxPlaces]), fmt.Sprintf("%d more places", more))
	}
	last := len(places) - 1
	if last == 0 {
		return places[0]
	}
	return strings.Join(places[:last], ", ") + " and " + places[last]
}
