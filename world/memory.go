package world

// Memory counts the bytes of memory of states and traces, for reports: those of a version of aux fields once,
// however many of them share it. The zero value has counted nothing.
type Memory struct {
	bytes  int
	shared map[*auxVersion]struct{}
}

// Bytes returns the sum, in bytes.
func (m *Memory) Bytes() int { return m.bytes }

// AddState counts a state.
func (m *Memory) AddState(s *State) {
	m.add(len(s.Objects)*int(objectSize) + s.Physics.Size() + 4*(len(s.Run)+len(s.ByID)) + len(s.Players)*12 +
		len(s.Suspended)*16)
	s.Rows.measure(m)
}

// AddTrace counts a trace.
func (m *Memory) AddTrace(t *Trace) { t.measure(m) }

func (m *Memory) add(bytes int) { m.bytes += bytes }

// first reports whether a version has not been counted yet, and notes that it is now.
func (m *Memory) first(v *auxVersion) bool {
	if _, counted := m.shared[v]; counted {
		return false
	}
	if m.shared == nil {
		m.shared = map[*auxVersion]struct{}{}
	}
	m.shared[v] = struct{}{}
	return true
}

// objectSize is the memory of an Object, in bytes.
const objectSize = 8 + 4 + 4 + 2 + 2 + 1 + 1 + HookCount
