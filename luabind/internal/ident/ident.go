// Package ident tells which identifiers scripts may use, and which known ones
// resemble one that does not exist.
package ident

import (
	"slices"
	"strings"
)

// maxBytes is the longest name of a class, a field or an input.
const maxBytes = 64

// Valid reports whether s is an identifier: letters, digits and underscores, no
// digit in front, at most 64 bytes.
func Valid(s string) bool {
	if s == "" || len(s) > maxBytes || s[0] >= '0' && s[0] <= '9' {
		return false
	}
	for i := range len(s) {
		if !IsByte(s[i]) {
			return false
		}
	}
	return true
}

// IsByte reports whether c can be part of an identifier.
func IsByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// Keys returns the keys of m, sorted.
func Keys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	// order: sorted next
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// leastBeginning is the length from which on a name resembles those that begin with it.
const leastBeginning = 4

// Nearest returns the known names that resemble name, the most similar first.
func Nearest(name string, known []string) []string {
	type candidate struct {
		name     string
		distance int
	}
	if len(name) > maxBytes {
		return nil
	}
	var list []candidate
	low, most := strings.ToLower(name), max(1, len(name)/3)
	for _, k := range known {
		begins := len(name) >= leastBeginning && len(k) <= maxBytes && strings.HasPrefix(strings.ToLower(k), low)
		if max(len(k)-len(name), len(name)-len(k)) > most && !begins {
			continue
		}
		if d := Distance(low, strings.ToLower(k)); begins || d <= most &&
			d < max(len(name), len(k)) { // else nothing is the same
			list = append(list, candidate{k, d})
		}
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return a.distance - b.distance })
	out := make([]string, len(list))
	for i := range list {
		out[i] = list[i].name
	}
	return out
}

// NearestFirst returns all known names, those that resemble name in front.
func NearestFirst(name string, known []string) []string {
	out := Nearest(name, known)
	for _, k := range known {
		if !slices.Contains(out, k) {
			out = append(out, k)
		}
	}
	return out
}

// farthest is the distance of names that are too long to compare.
const farthest = 64

// Distance returns the number of letters to insert, drop, replace or swap with the
// next one to make b of a: Damerau's distance with adjacent swaps only.
func Distance(a, b string) int {
	if len(a) > maxBytes || len(b) > maxBytes {
		return farthest
	}
	var rows [3][maxBytes + 1]int // those of the last letter of a, of the one before it and of the next
	before, last, next := &rows[0], &rows[1], &rows[2]
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		next[0] = i
		for j := 1; j <= len(b); j++ {
			differ := 1
			if a[i-1] == b[j-1] {
				differ = 0
			}
			d := min(last[j]+1, next[j-1]+1, last[j-1]+differ)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, before[j-2]+1)
			}
			next[j] = d
		}
		before, last, next = last, next, before
	}
	return last[len(b)]
}
