package runner

import (
	"regexp"
	"strings"
)

// alternative is a part of a pattern of go test -bench between two bars: a
// pattern of top-level names and, after the first slash, one of what is below.
type alternative struct{ top, rest string }

// alternatives takes a pattern apart as package testing does: at bars and at
// slashes outside brackets and parentheses.
func alternatives(pattern string) []alternative {
	var list []alternative
	var a alternative
	square, round, from, cut := 0, 0, 0, -1
	end := func(at int) {
		if cut < 0 {
			a.top, a.rest = pattern[from:at], ""
		} else {
			a.top, a.rest = pattern[from:cut], pattern[cut:at]
		}
		list = append(list, a)
		from, cut = at+1, -1
	}
	for i := 0; i < len(pattern); i++ {
		switch pattern[i] {
		case '\\':
			i++
		case '[':
			square++
		case ']':
			square = max(0, square-1)
		case '(':
			if square == 0 {
				round++
			}
		case ')':
			if square == 0 {
				round--
			}
		case '/':
			if square == 0 && round == 0 && cut < 0 {
				cut = i
			}
		case '|':
			if square == 0 && round == 0 {
				end(i)
			}
		}
	}
	end(len(pattern))
	return list
}

// tops is a pattern of the top-level names alone.
func tops(pattern string) string {
	var parts []string
	for _, a := range alternatives(pattern) {
		parts = append(parts, "(?:"+a.top+")")
	}
	return strings.Join(parts, "|")
}

// only narrows a pattern to one top-level benchmark.
func only(name, pattern string) string {
	var parts []string
	for _, a := range alternatives(pattern) {
		// A pattern that is no regular expression fails in the test binary.
		if re, err := regexp.Compile(a.top); err != nil || re.MatchString(name) {
			parts = append(parts, "^"+name+"$"+a.rest)
		}
	}
	return strings.Join(parts, "|")
}

// exactly is the pattern of one benchmark by its full name.
func exactly(name string) string {
	parts := strings.Split(name, "/")
	for i, part := range parts {
		parts[i] = "^" + regexp.QuoteMeta(part) + "$"
	}
	return strings.Join(parts, "/")
}

// Exactly is a pattern of go test -bench for one benchmark by its name as results
// have it, whose end may be a number of processors.
func Exactly(name string) string {
	full := exactly("Benchmark" + name)
	at := strings.LastIndexByte(name, '-')
	if at <= 0 || at == len(name)-1 || strings.Trim(name[at+1:], "0123456789") != "" {
		return full
	}
	return exactly("Benchmark"+name[:at]) + "|" + full
}
