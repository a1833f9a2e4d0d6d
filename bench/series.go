package bench

import (
	"strings"

	"golang.org/x/perf/benchfmt"
)

// Series is the identity of a benchmark's measurements in one unit: what is
// measured where. It is an allow-list: other configuration keys, such as a line
// "seed: 42" that a benchmark printed, take no part in it, so that they cannot
// silently stop two sides from being paired.
type Series struct {
	Pkg     string // import path
	Name    string // as benchstat prints it: without "Benchmark", with GOMAXPROCS
	Unit    string // tidied: sec/op, B/op, B/s
	GOOS    string
	GOARCH  string
	Machine string // machine class; times are compared inside one class only
}

// Title is the series for people: "pkg.Name unit".
func (s Series) Title() string {
	if s.Pkg == "" {
		return s.Name + " " + s.Unit
	}
	return s.Pkg + "." + s.Name + " " + s.Unit
}

// procless is the name without the number of processors that go test appends;
// it is ambiguous ("size-10"), so it only serves where it is unique.
func procless(name string) string {
	i := strings.LastIndexByte(name, '-')
	if i <= 0 || i == len(name)-1 || strings.Trim(name[i+1:], "0123456789") != "" {
		return name
	}
	return name[:i]
}

// SignatureHi and SignatureLo are the units of the two 32-bit halves of a
// signature of play: a float64 holds 53 bits exactly, a signature has 64.
const (
	SignatureHi = "signature-hi"
	SignatureLo = "signature-lo"
)

// exact tells whether values in a unit are the same in every run of the same
// code, on any machine of one architecture, so that any change is real. It is
// so by name for allocations, nodes, instructions and signatures, and by a line
// "Unit plies/op assume=exact" for others.
func exact(unit string, units benchfmt.UnitMetadataMap) bool {
	if m := units.Get(unit, "assume"); m != nil {
		return m.Value == "exact"
	}
	switch unit {
	case "allocs/op", "nodes/op", "instructions/op", SignatureHi, SignatureLo:
		return true
	}
	return false
}

// tolerance is the relative change below which an exact unit counts as
// unchanged. Counted instructions still vary a little with where the operating
// system interrupts.
func tolerance(unit string) float64 {
	if unit == "instructions/op" {
		return 0.005
	}
	return 0
}
