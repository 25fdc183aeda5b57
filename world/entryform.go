package world

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

// EntryForm returns the entry form and the name of its function; nil if the game has none.
func (fs Functions) EntryForm() (function string, s *EntryForm) {
	for i := range fs {
		if fs[i].Entry != nil {
			return fs[i].Name, fs[i].Entry
		}
	}
	return "", nil
}
