// Package reference writes what scripts can use in two forms: a Markdown page
// for people (docs/reference.md), and LuaCATS definitions for editors.
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
