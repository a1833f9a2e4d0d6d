// Package build says which program this is: its version, which a database names as its
// writer, and the commit that it was built from.
//
//	fmt.Println("sakusen", build.Version, build.Commit())
package build

import "runtime/debug"

// Version is the version of the program, as in Semantic Versioning 2.0. docs/release.md
// says when it changes.
const Version = "0.1.0"

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
