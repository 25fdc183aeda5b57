// Package reference writes the API of scripts in two forms: as a Markdown page for
// people (docs/reference.md), and as LuaCATS definitions for editors.
//
// Both are made of the tables in luabind/internal/api, which a test holds equal
// to what package luabind binds. Write the page again with
//
//	go test ./luabind/reference -run ReferencePage -update
//
// # Concurrency
//
// The functions have no state and may be called from any goroutine. They do not change
// the schema that they are given.
package reference
