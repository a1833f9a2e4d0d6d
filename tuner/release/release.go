// Package release holds the numbers of this version of the program: its own and that of
// the files that it reads and writes. Any package may import it.
package release

// Version is the program's version, as in the git tag v0.1.0.
const Version = "0.1.0"

// Format is the number of the form in which a database keeps its tables, logs and blocks.
// It grows by one with every change that a program with the number before could not
// read.
const Format = 1
