// Package kinds breaks the rule on kinds of clients.
package kinds

// Kind is a kind of client.
type Kind uint8

// The kinds.
const (
	Predictor Kind = iota
	Spectator
)

const other = 1

// Config is what a client is made of.
type Config struct{ Kind Kind }

func playing(c Config, atPresent bool) bool {
	return c.Kind != Predictor || atPresent // want: Predictor: let the role of a client answer
}

func draws(c Config) bool {
	switch c.Kind {
	case Spectator: // want: Spectator: let the role of a client answer
		return true
	}
	return other == 2
}

func fewer(c, d Config) bool { return c.Kind < d.Kind }
