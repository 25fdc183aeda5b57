package world

import "fmt"

// MaxMessage is the most bytes of a message to one player.
const MaxMessage = 4 * MaxCueText

// messageCue is the name of the cue that carries a message to one player, in fields of a, b and so on.
const messageCue = "tell"

// tell sends a message to one player, when the tick cannot change any more.
func (w *World) tell(p PlayerID, text string) error {
	if len(text) > MaxMessage {
		return fmt.Errorf("%w: a message of %d bytes; at most %d", ErrCue, len(text), MaxMessage)
	}
	var fields []CueField
	for i := 0; text != ""; i++ {
		n := min(len(text), MaxCueText)
		for n > 1 && n < len(text) && text[n]&0xc0 == 0x80 {
			n--
		}
		fields = append(fields, CueField{Name: string(rune('a' + i)), Kind: String, Text: text[:n]})
		text = text[n:]
	}
	if len(fields) > MaxCueFields {
		return fmt.Errorf("%w: a message that is not UTF-8", ErrCue)
	}
	return w.cue(messageCue, CueFor(p), CueConfirmed, 0, fields)
}

// Message returns the message that the cue carries to one player. ok is false for any other cue.
func (c *Cue) Message() (text string, ok bool) {
	if c.Name != messageCue || c.To != CueOwner || c.When != CueConfirmed {
		return "", false
	}
	for i := range c.Fields {
		text += c.Fields[i].Text
	}
	return text, true
}
