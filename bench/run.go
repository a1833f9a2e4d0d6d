package bench

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// MachineKey is the configuration key that names a machine class in benchmark
// text; without it the line "cpu:" does.
const MachineKey = "machine-class"

// errNoResults says that a text holds no benchmark results.
var errNoResults = errors.New("no benchmark results")

// Run is the output of one go test -bench, or of several joined.
type Run struct {
	Name   string // where it comes from, for people
	Raw    string // benchmark format; what -json wrapped is unwrapped
	Order  []Series
	Values map[Series][]float64 // in base units, in the order of measurement
	Units  benchfmt.UnitMetadataMap
	Failed []string // packages that failed
	// MachineGiven tells that the text names its machine class by [MachineKey].
	MachineGiven bool
	Warnings     []string
}

// ReadOptions says how text is read.
type ReadOptions struct {
	// Machine is the machine class of all results; empty takes it from the text.
	Machine string
	// Usual is the machine class where neither Machine nor the text names one; empty
	// takes the processor's name.
	Usual string
	// JSON says that the text is numbers of other tools, see [FromJSON].
	JSON bool
}

// Read reads the output of go test -bench, plain or -json. Lines that are no
// benchmark lines are skipped; a benchmark line that cannot be read is a
// warning; no result at all is errNoResults.
func Read(r io.Reader, name string, o ReadOptions) (*Run, error) {
	if o.JSON {
		text, err := FromJSON(r, name)
		if err != nil {
			return nil, err
		}
		r = strings.NewReader(text)
	}
	text, err := readAll(r, name)
	if err != nil {
		return nil, err
	}
	raw, failed, err := unwrap(text, name)
	if err != nil {
		return nil, err
	}
	run, err := parse(raw, name, failed, o)
	if err != nil || o.Usual == "" || o.Machine != "" || run.MachineGiven {
		return run, err
	}
	o.Machine = o.Usual
	return parse(raw, name, failed, o)
}

// parse reads benchmark text by x/perf's reader, which reuses its result from
// line to line: everything that is kept is copied.
func parse(raw, name string, failed []string, o ReadOptions) (*Run, error) {
	run := &Run{Name: name, Raw: raw, Values: map[Series][]float64{}, Failed: failed}
	for _, pkg := range failed {
		run.warn("package %s failed: its results may be incomplete", pkg)
	}
	reader := benchfmt.NewReader(strings.NewReader(raw), name)
	for reader.Scan() {
		switch record := reader.Result().(type) {
		case *benchfmt.Result:
			run.add(record, o)
		case *benchfmt.SyntaxError:
			run.warn("%v (what a benchmark prints can break its line: go test -v and -json keep it whole)", record)
		}
	}
	if err := reader.Err(); err != nil {
		return nil, err
	}
	run.Units = reader.Units()
	if len(run.Order) == 0 {
		why := "expected the output of go test -bench, plain or -json"
		if len(run.Warnings) > 0 {
			why += "; " + run.Warnings[0]
		}
		return nil, fmt.Errorf("%s: %w (%s)", name, errNoResults, why)
	}
	return run, nil
}

// add takes over one line.
func (r *Run) add(result *benchfmt.Result, o ReadOptions) {
	s := Series{
		Pkg: result.GetConfig("pkg"), Name: result.Name.String(),
		GOOS: result.GetConfig("goos"), GOARCH: result.GetConfig("goarch"),
		Machine: o.Machine,
	}
	if class := result.GetConfig(MachineKey); class != "" {
		r.MachineGiven = true
		if s.Machine == "" {
			s.Machine = class
		}
	}
	if s.Machine == "" {
		s.Machine = result.GetConfig("cpu")
	}
	for _, v := range result.Values {
		s.Unit = v.Unit
		if math.IsNaN(v.Value) || math.IsInf(v.Value, 0) {
			r.warn("%s: left out a value that is no finite number: %v", s.Title(), v.Value)
			continue
		}
		if _, ok := r.Values[s]; !ok {
			r.Order = append(r.Order, s)
		}
		r.Values[s] = append(r.Values[s], v.Value)
	}
}

func (r *Run) warn(format string, args ...any) {
	r.Warnings = append(r.Warnings, fmt.Sprintf(format, args...))
}

// Machine is the machine class of the run; several are joined by a comma.
func (r *Run) Machine() string {
	var classes []string
	for _, s := range r.Order {
		if !slices.Contains(classes, s.Machine) {
			classes = append(classes, s.Machine)
		}
	}
	return strings.Join(classes, ", ")
}

// Samples is the number of values of all series.
func (r *Run) Samples() int {
	n := 0
	for _, v := range r.Values {
		n += len(v)
	}
	return n
}

// Digest is the lower-case hexadecimal sha256 of the raw text.
func (r *Run) Digest() string {
	sum := sha256.Sum256([]byte(r.Raw))
	return hex.EncodeToString(sum[:])
}

// Find is the series with a title, or the only one whose title holds the text.
func (r *Run) Find(text string) (Series, error) {
	var found []Series
	for _, s := range r.Order {
		if s.Title() == text {
			return s, nil
		}
		if strings.Contains(s.Title(), text) {
			found = append(found, s)
		}
	}
	switch len(found) {
	case 0:
		return Series{}, fmt.Errorf("%s: expected a series of it, got %q (the first is %q)", r.Name, text, r.Order[0].Title())
	case 1:
		return found[0], nil
	}
	return Series{}, fmt.Errorf("%s: %q is part of %d series (%q, %q): expected a whole title", r.Name, text, len(found), found[0].Title(), found[1].Title())
}

// testEvent is what we need of a line of go test -json (go doc test2json).
type testEvent struct {
	Action     string
	Package    string
	ImportPath string
	Test       string
	Output     string
}

// unwrap turns the output of go test -json back into its text and leaves plain
// output alone, but for line ends, which become those of Unix. A benchmark's line is split over several events, and packages
// that run side by side are mixed, so the output is gathered by package, in the
// order in which packages first spoke.
func unwrap(text []byte, name string) (raw string, failed []string, err error) {
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	if !bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("{")) {
		return string(text), plainFailures(string(text)), nil
	}
	var order []string
	outputs := map[string]*strings.Builder{}
	number := 0
	for line := range bytes.Lines(text) {
		number++
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		var e testEvent
		if line[0] != '{' {
			// The go command prints lines of its own, such as those of a failed build,
			// between the events.
			continue
		}
		if err := json.Unmarshal(line, &e); err != nil || e.Action == "" {
			return "", nil, fmt.Errorf("%s:%d: expected an event of go test -json, got %.60q", name, number, line)
		}
		pkg := e.Package
		if pkg == "" {
			pkg = e.ImportPath
		}
		if outputs[pkg] == nil {
			outputs[pkg] = &strings.Builder{}
			order = append(order, pkg)
		}
		switch {
		case e.Action == "output":
			outputs[pkg].WriteString(strings.ReplaceAll(e.Output, "\r\n", "\n"))
		case e.Action == "fail" && e.Test == "", e.Action == "build-fail":
			failed = append(failed, pkg)
		}
	}
	var all strings.Builder
	for _, pkg := range order {
		text := outputs[pkg].String()
		all.WriteString(text)
		if text != "" && !strings.HasSuffix(text, "\n") {
			all.WriteByte('\n')
		}
	}
	return all.String(), failed, nil
}

// plainFailures finds the packages that plain output reports as failed.
func plainFailures(text string) []string {
	var failed []string
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(line, "FAIL\t"); ok {
			pkg, _, _ := strings.Cut(strings.TrimSpace(rest), "\t")
			pkg, _, _ = strings.Cut(pkg, " ")
			failed = append(failed, pkg)
		}
	}
	return failed
}

// readAll reads at most limit bytes.
func readAll(r io.Reader, name string) ([]byte, error) {
	const limit = 256 << 20
	text, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(text) > limit {
		return nil, fmt.Errorf("%s: expected at most %d bytes of benchmark output", name, limit)
	}
	return text, nil
}

// mergeUnits joins what both sides say about their units. As in benchstat, what
// one file says goes for both; the first one wins a contradiction, which is a
// warning.
func mergeUnits(sides ...*Run) (benchfmt.UnitMetadataMap, []string) {
	all := benchfmt.UnitMetadataMap{}
	var warnings []string
	for _, side := range sides {
		for _, key := range slices.SortedFunc(maps.Keys(side.Units), compareUnitKeys) {
			m := side.Units[key]
			have, ok := all[key]
			if !ok {
				all[key] = m
			} else if have.Value != m.Value {
				warnings = append(warnings, fmt.Sprintf("unit %s: %s is %s on one side and %s on the other: took %s",
					key.Unit, key.Key, have.Value, m.Value, have.Value))
			}
		}
	}
	return all, warnings
}

func compareUnitKeys(a, b benchfmt.UnitMetadataKey) int {
	return slices.Compare([]string{a.Unit, a.Key}, []string{b.Unit, b.Key})
}

// direction tells whether more of a unit is better (+1), worse (-1) or unknown
// (0). Benchstat does not know instructions/op; what is counted by us has one.
func direction(unit string, units benchfmt.UnitMetadataMap) int {
	if better := units.GetBetter(unit); better != 0 || unit != "instructions/op" {
		return better
	}
	return -1
}
