// Package build says which program this is: its version, which a database names as its
// writer, the format of the databases that it reads, and the commit that it was built from.
//
//	fmt.Println("sakusen", build.Version, build.Commit())
package build

import "runtime/debug"

// Version is the version of the program, as in Semantic Versioning 2.0. docs/release.md
// says when it changes.
const Version = "0.1.0"

// Format is the number of the form in which a database keeps its tables, logs and blocks.
// It grows by one with every change after which a program with the number before could
// not read the file, or this one not a file with that number.
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
