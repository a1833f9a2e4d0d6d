// Package build says which program this is: its version, which a database names as its
// writer, the format of the databases that it reads, the commit that it was built from,
// and the name by which it was started.
//
//	fmt.Println("sakusen", build.Version, build.Commit())
package build

import (
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
)

// Version is the version of the program, as in Semantic Versioning 2.0. docs/release.md
// says when it changes.
const Version = "0.1.0"

// Format is the number of the form in which a database keeps its tables, logs and blocks.
// It grows by one with every change after which a program with the number before could
// not read the file, or this one not a file with that number. Before 1.0 a version
// reads its own format only and names the version that reads another; after 1.0 each older
// format is one file named after it.
const Format = 1

// Commit returns the commit that the program was built from, with "-dirty" where the
// tree had changes, or "unknown".
func Commit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	revision, dirty := "unknown", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "-dirty"
		}
	}
	return revision + dirty
}

// ownName is how texts call the program in the commands that they tell people to type.
const ownName = "sakusen"

// Program returns the name by which the program was started, "pig" for ./pig: a program
// of one's own has every command. The binary of a Go test is called as texts call it.
func Program() string {
	name := strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")
	if strings.HasSuffix(name, ".test") {
		return ownName
	}
	return name
}

// typed is a command in a text: the name where it is no part of a path or of another word,
// and a command or a flag after it, maybe in the next line.
var typed = regexp.MustCompile(`(^|[^\w./-])` + ownName + `(\s+(?:--)?[a-z])`)

// Named returns a text whose commands begin with the name by which the program was started.
func Named(text []byte) []byte {
	program := Program()
	if program == ownName {
		return text
	}
	return typed.ReplaceAll(text, []byte("${1}"+strings.ReplaceAll(program, "$", "$$")+"${2}"))
}
