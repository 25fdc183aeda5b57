package api

import "testing"

func TestParseMember(t *testing.T) {
	m := parseMember("sort(t: table, before?: fun(a: any, b: any): boolean) -> a: string, b: table<string, number>")
	if m.Name != "sort" || len(m.Params) != 2 || !m.Params[1].Optional || m.Params[1].Type != "fun(a: any, b: any): boolean" ||
		len(m.Returns) != 2 || m.Returns[1].Type != "table<string, number>" {
		t.Errorf("%+v", m)
	}
	if m := parseMember("pi: number"); m.Params != nil || m.Type != "number" {
		t.Errorf("%+v", m)
	}
	if m := parseMember("tick()"); m.Params == nil || len(m.Params) != 0 {
		t.Errorf("%+v", m)
	}
}
