package host

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
)

// cutName returns a name as Roster can carry it. Chat, of which it is a part, has no control characters.
func cutName(name string) string {
	end := min(len(name), wire.MaxName)
	for end < len(name) && !utf8.RuneStart(name[end]) {
		end--
	}
	return strings.TrimSpace(name[:end])
}

// splitName takes the name out of the answers to the entry form that e has, because names are not simulated. It returns
// the name; "" if there is none.
func splitName(fs world.Functions, e *world.Event) (name string) {
	i := slices.IndexFunc(fs, func(f world.Function) bool { return f.Name == e.Name && f.Entry != nil && f.Entry.Name })
	last := len(e.Values) - 1
	if i < 0 || last < 0 || e.Values[last].Kind != world.String {
		return ""
	}
	others, name := fs[i].Entry.SplitName(e.Values[last].Text)
	e.Values[last].Value = world.TextValue(others)
	return cutName(name)
}

// takeName gives a player the name that the answers to the entry form have, unless it has answered before. If
// Config.Admit has admitted a name, the player keeps that name.
func (h *Host) takeName(p *peer, name string) {
	if h.cfg.Admit != nil || name == "" || name == p.Name() || h.entered(p.Player()) || !p.Introduce(name) {
		return
	}
	h.log.Info("renamed", "player", p.Player(), "to", name)
	h.cfg.Recorder.Name(p.Player(), name)
	h.pings.Renamed()
}

// entered reports whether a player has answered the entry form.
func (h *Host) entered(id world.PlayerID) bool {
	s := h.State()
	player, here := s.PlayerByID(id)
	if !here {
		return false
	}
	slot, here := s.Find(player.Object())
	if !here {
		return false
	}
	fields := h.Schema().Classes[s.Objects[slot].Class].Fields
	i := slices.IndexFunc(fields, func(f world.Field) bool { return f.Name == world.EnteredField })
	return i >= 0 && s.Row(slot).Word(&fields[i]) != 0
}
