package world

import "slices"

// EntryForm is what a game asks each player before the player joins. The answers are the last argument of the
// Function that has it, a String, as "team=Red kit=Scout"; its first argument is the number of the player.
type EntryForm struct {
	Note      string     `json:"note"`      // for people; may be ""
	Name      bool       `json:"name"`      // the player is asked for a name, which only viewers get
	Questions []Question `json:"questions"` // in the order in which they are asked
}

// Asks reports whether there is something to answer. A form that only has a note is shown to who is about to join, and
// nobody answers it.
func (s *EntryForm) Asks() bool { return s.Name || len(s.Questions) > 0 }

// same reports whether two forms ask and say the same.
func (s *EntryForm) same(as *EntryForm) bool {
	return s.Note == as.Note && s.Name == as.Name && slices.EqualFunc(s.Questions, as.Questions,
		func(a, b Question) bool { return a.Name == b.Name && slices.Equal(a.Options, b.Options) })
}

// Question is one of an EntryForm. The answer is one of its options.
type Question struct {
	Name    string   `json:"name"` // letters, digits and _
	Options []Option `json:"options"`
}

// Option is one answer of a Question.
type Option struct {
	Name  string `json:"name"`  // letters, digits and _
	Color string `json:"color"` // "": none
}

// nameAnswer begins the name among the answers to an EntryForm.
const nameAnswer = "name="

// SplitName splits the answers to the EntryForm into the name, which is the last one and may have spaces, and the
// others, which are not empty. The name is "" if there is none.
func (s *EntryForm) SplitName(answers string) (others, name string) {
	for at := 0; s.Name && at+len(nameAnswer) <= len(answers); at++ {
		if end := at + len(nameAnswer); answers[at:end] == nameAnswer && (at == 0 || answers[at-1] == ' ') {
			if others = trimmed(answers[:at]); others == "" {
				others = "-"
			}
			return others, trimmed(answers[end:])
		}
	}
	return answers, ""
}

// trimmed returns a text without the spaces around it.
func trimmed(text string) string {
	for len(text) > 0 && text[0] == ' ' {
		text = text[1:]
	}
	for len(text) > 0 && text[len(text)-1] == ' ' {
		text = text[:len(text)-1]
	}
	return text
}

// EnteredField is the field of PlayerClass that says whether a player has answered the EntryForm.
const EnteredField = "entered"

// OnlyEntered reports whether a class is PlayerClass because of an EntryForm only: the scripts declare no state of
// players.
func (c *Class) OnlyEntered() bool {
	return c.Name == PlayerClass && len(c.Fields) == 1 && c.Fields[0].Name == EnteredField
}

// EntryForm returns the entry form and the name of its function; nil if the game has none.
func (fs Functions) EntryForm() (function string, s *EntryForm) {
	for i := range fs {
		if fs[i].Entry != nil {
			return fs[i].Name, fs[i].Entry
		}
	}
	return "", nil
}

// Asks reports whether players are asked something before they join: onJoin is then the function of the EntryForm.
func (s *Schema) Asks() bool { return s.enteredField() >= 0 }

// enteredField returns which of the fields of PlayerClass is EnteredField, -1 if none.
func (s *Schema) enteredField() int {
	ci, ok := s.ClassByName(PlayerClass)
	if !ok {
		return -1
	}
	return slices.IndexFunc(s.Classes[ci].Fields, func(f Field) bool { return f.Name == EnteredField })
}

// Entered reports whether a player of a game that asks has answered.
func (s *Schema) Entered(st *State, id PlayerID) bool {
	i := s.enteredField()
	p, here := st.PlayerByID(id)
	if i < 0 || !here {
		return false
	}
	slot, here := st.Find(p.Object())
	return here && st.Row(slot).Word(&s.Classes[st.Objects[slot].Class].Fields[i]) != 0
}

// MigrateEntry notes, after a bundle switch, that those who had joined a game that asked nothing have answered what it
// asks now. It returns who had not answered a game that asks nothing any more.
func (w *World) MigrateEntry(from *Schema, before *State) (waiting []PlayerID) {
	asked, asks := from.enteredField(), w.Schema().enteredField()
	if (asked < 0) == (asks < 0) {
		return nil
	}
	for i := range w.Now.Players {
		p := &w.Now.Players[i]
		if asked < 0 {
			if slot, here := w.Find(p.Object()); here {
				w.touch(slot)
				w.Now.Row(slot).SetWord(&w.Class(slot).Fields[asks], 1)
			}
			continue
		}
		if !from.Entered(before, p.ID) {
			waiting = append(waiting, p.ID)
		}
	}
	return waiting
}

// Admit lets onJoin of the present order read what it writes to the state of a player, as when the player joins.
func (w *World) Admit(p PlayerID) {
	pl, here := w.Now.PlayerByID(p)
	game, ok := w.Match()
	if !here || !ok {
		return
	}
	if slot, has := w.Find(pl.Object()); has {
		w.acting.of(slot).lend(game, w.log.number())
	}
}
