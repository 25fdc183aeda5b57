package luabind

import "fmt"

// testLog has the output of a test.
type testLog struct {
	lines []TestLine
}

// say notes a line.
func (l *testLog) say(file string, line int, text string, failed bool) {
	l.lines = append(l.lines, TestLine{file, line, text, failed})
}

// sayHere notes a line at the place of the script that runs.
func (l *testLog) sayHere(L call, failed bool, format string, args ...any) {
	file, line := placeOf(L.LState)
	l.say(file, line, fmt.Sprintf(format, args...), failed)
}

// all returns the lines.
func (l *testLog) all() []TestLine { return l.lines }
