package bench

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"

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

// Title returns the series for people: "pkg.Name unit"; the package alone where it stands
// for all that was to be measured there.
func (s Series) Title() string {
	if s.Name == "" && s.Unit == "" {
		return s.Pkg
	}
	if s.Pkg == "" {
		return strings.TrimSuffix(s.Name+" "+s.Unit, " ")
	}
	return strings.TrimSuffix(s.Pkg+"."+s.Name+" "+s.Unit, " ")
}

// benchmark returns the series without its unit.
func (s Series) benchmark() Series {
	s.Unit = ""
	return s
}

// function returns the title of the benchmark's function: without its parts and its processors.
func (s Series) function() string {
	s.Unit = ""
	s.Name, _, _ = strings.Cut(s.Name, "/")
	s.Name = strings.TrimSuffix(s.Name, "-"+trailing(s.Name))
	return s.Title()
}

// timed reports whether the series is a time of an operation.
func (s Series) timed() bool { return strings.HasSuffix(s.Unit, "sec/op") }

// SignatureHi and SignatureLo are the units of the two 32-bit halves of a
// signature of play: a float64 holds 53 bits exactly, a signature has 64.
const (
	SignatureHi = "signature-hi"
	SignatureLo = "signature-lo"
)

// exact reports whether values in a unit may be the same in every run of the same code, on any
// machine of one architecture, so that any change is real. It is so by name for allocations,
// nodes, instructions and signatures, and by a line "Unit plies/op assume=exact" for others.
// Whether a series is, its values must show, see [Row.earned].
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

// declared reports whether a unit is exact whatever the values: a line assume=exact says
// so, and a signature is one of all that was played.
func declared(unit string, units benchfmt.UnitMetadataMap) bool {
	m := units.Get(unit, "assume")
	return m != nil && m.Value == "exact" || m == nil && (unit == SignatureHi || unit == SignatureLo)
}

// tolerance returns the relative change below which an exact unit counts as unchanged. Counted
// instructions still vary a little with where the operating system interrupts.
func tolerance(unit string) float64 {
	if unit == "instructions/op" {
		return 0.005
	}
	return 0
}

// pair is a series with the values of both sides; a side that lacks it has none.
type pair struct {
	series   Series
	exact    bool
	old, new []float64
	calls    int // of a sample of either side, at least; 0 where a side is missing
}

// match pairs the series of two runs, in the order of the old one, and then lists the new
// ones. Exact metrics are compared across machine classes, so the number of processors at
// the end of their names is ignored.
func match(old, new *Run, units benchfmt.UnitMetadataMap) []pair {
	taken := map[Series]bool{}
	loose, looseOld := new.loose(units), old.loose(units)
	var pairs []pair
	for _, s := range old.Order {
		p := pair{series: s, exact: exact(s.Unit, units), old: old.Values[s]}
		if values, ok := new.Values[s]; ok {
			p.new, taken[s] = values, true
			p.calls = min(old.calls[s.benchmark()], new.calls[s.benchmark()])
		} else if p.exact {
			for _, key := range old.looseKeys(s) {
				there := loose[key]
				if len(looseOld[key]) != 1 || len(there) != 1 || taken[there[0]] {
					continue
				}
				if _, own := old.Values[there[0]]; !own {
					p.new, taken[there[0]] = new.Values[there[0]], true
					break
				}
			}
		}
		pairs = append(pairs, p)
	}
	for _, s := range new.Order {
		if !taken[s] {
			pairs = append(pairs, pair{series: s, exact: exact(s.Unit, units), new: new.Values[s]})
		}
	}
	return pairs
}

// looseKeys returns the identities of an exact series on any machine; two where it is not
// known whether a number at the end of its name is that of the processors.
func (r *Run) looseKeys(s Series) []Series {
	procs, whole := r.procs[s.Pkg], s
	whole.Machine = ""
	short := whole
	short.Name = procs.cut(s.Name)
	if procs.likely || short == whole {
		return []Series{short}
	}
	return []Series{short, whole}
}

// loose lists the exact series of a run by their loose identities.
func (r *Run) loose(units benchfmt.UnitMetadataMap) map[Series][]Series {
	m := map[Series][]Series{}
	for _, s := range r.Order {
		if exact(s.Unit, units) {
			for _, key := range r.looseKeys(s) {
				m[key] = append(m[key], s)
			}
		}
	}
	return m
}

// Number is what another tool measured, as it is given in JSON.
type Number struct {
	Name   string    `json:"name"`
	Pkg    string    `json:"pkg"`    // what tells names apart; may be empty
	Value  *float64  `json:"value"`  // one sample, or
	Values []float64 `json:"values"` // several
	Unit   string    `json:"unit"`
	Better string    `json:"better"` // higher or lower; empty where it is unknown
	// Interval is the other tool's interval for its value: low and high. It is kept in the
	// text for people; comparisons use the samples.
	Interval []float64 `json:"interval"`
}

// FromJSON makes benchmark text of numbers of other tools: a list of [Number], an
// object that has it as "benchmarks", a number a line, what github-action-benchmark keeps
// (the last commit's benches), or Bencher's metrics. Blanks in names and units become "_",
// or "%20" where another one has that name.
func FromJSON(r io.Reader, name string) (string, error) {
	text, err := readAll(r, name)
	if err != nil {
		return "", err
	}
	numbers, err := decodeNumbers([]byte(text))
	if err != nil {
		return "", fmt.Errorf("%s: expected JSON with a list of {name, value, unit}: %w", name, err)
	}
	if len(numbers) == 0 {
		return "", fmt.Errorf("%s: %w (an empty list)", name, errNoResults)
	}
	var b strings.Builder
	pkg, interval, better := "", "", map[string]string{}
	names, units := words{}, words{}
	for _, n := range numbers {
		names.add(lineName(n.Name), n.Name)
		units.add(underlined(n.Unit), n.Unit)
	}
	for i, n := range numbers {
		if err := n.check(); err != nil {
			return "", fmt.Errorf("%s: number %d (%q): %w", name, i+1, n.Name, err)
		}
		n.Unit = units.of(underlined(n.Unit), n.Unit)
		if told, ok := better[n.Unit]; n.Better != "" && !ok {
			better[n.Unit] = n.Better
			fmt.Fprintf(&b, "Unit %s better=%s\n", n.Unit, n.Better)
		} else if n.Better != "" && told != n.Better {
			fmt.Fprintf(&b, "%snumber %d (%s): better: expected %s as before for the unit %s, got %s\n", lostMark, i+1, underlined(n.Name), told, n.Unit, n.Better)
			continue
		}
		if n.Pkg != pkg {
			pkg = n.Pkg
			fmt.Fprintf(&b, "pkg: %s\n", pkg)
		}
		now := ""
		if n.Interval != nil {
			now = number(n.Interval[0]) + " " + number(n.Interval[1])
		}
		if now != interval {
			interval = now
			fmt.Fprintf(&b, "interval: %s\n", now)
		}
		for _, v := range n.samples() {
			fmt.Fprintf(&b, "Benchmark%s 1 %s %s\n", names.of(lineName(n.Name), n.Name), number(v), n.Unit)
		}
	}
	return b.String(), nil
}

func decodeNumbers(text []byte) (list []Number, err error) {
	trimmed := bytes.TrimSpace(text)
	if _, data, ok := bytes.Cut(trimmed, []byte("BENCHMARK_DATA =")); ok {
		trimmed = bytes.TrimSuffix(bytes.TrimSpace(data), []byte(";"))
	}
	if bytes.HasPrefix(trimmed, []byte("[")) {
		err = json.Unmarshal(trimmed, &list)
		return list, err
	}
	var whole struct {
		Benchmarks []Number               `json:"benchmarks"`
		Entries    map[string][]keptSuite `json:"entries"`
	}
	if json.Unmarshal(trimmed, &whole) == nil {
		switch {
		case whole.Benchmarks != nil:
			return whole.Benchmarks, nil
		case whole.Entries != nil:
			return lastBenches(whole.Entries), nil
		}
	}
	var metrics map[string]map[string]metric
	if json.Unmarshal(trimmed, &metrics) == nil && len(metrics) > 0 {
		return metricNumbers(metrics), nil
	}
	for line := range bytes.Lines(trimmed) {
		var n Number
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if err := json.Unmarshal(line, &n); err != nil {
			return nil, err
		}
		if n.Name == "" && n.samples() == nil {
			return nil, fmt.Errorf("also read are Bencher's {name: {measure: {value}}} and github-action-benchmark's data.js, with numbers as values; got %.60s", bytes.TrimSpace(line))
		}
		list = append(list, n)
	}
	return list, nil
}

// keptSuite is what github-action-benchmark keeps of a commit, in its data.js or the JSON of its
// cache: https://github.com/benchmark-action/github-action-benchmark.
type keptSuite struct {
	Tool    string   `json:"tool"`
	Benches []Number `json:"benches"`
}

// lastBenches returns the numbers of the last commit of each suite, whose name tells them apart.
func lastBenches(entries map[string][]keptSuite) (list []Number) {
	for _, name := range slices.Sorted(maps.Keys(entries)) {
		runs := entries[name]
		if len(runs) == 0 {
			continue
		}
		last := runs[len(runs)-1]
		for _, n := range last.Benches {
			n.Pkg = name
			if better, ok := map[string]string{"customBiggerIsBetter": "higher", "customSmallerIsBetter": "lower"}[last.Tool]; ok {
				n.Better = better
			}
			list = append(list, n)
		}
	}
	return list
}

// metric is a measure of a benchmark in Bencher's metric format:
// https://bencher.dev/docs/reference/bencher-metric-format.
type metric struct {
	Value *float64 `json:"value"`
	Lower *float64 `json:"lower_value"`
	Upper *float64 `json:"upper_value"`
}

// metricNumbers returns the numbers of Bencher's format. The measures that it comes with
// have the units and directions that it gives them.
func metricNumbers(metrics map[string]map[string]metric) (list []Number) {
	for _, name := range slices.Sorted(maps.Keys(metrics)) {
		for _, measure := range slices.Sorted(maps.Keys(metrics[name])) {
			m := metrics[name][measure]
			n := Number{Name: name, Unit: measure, Value: m.Value}
			if unit, ok := map[string]string{
				"latency": "latency-ns", "throughput": "throughput-ops/s", "build-time": "build-time-sec", "file-size": "file-size-bytes",
			}[measure]; ok {
				n.Unit = unit
			}
			if m.Lower != nil && m.Upper != nil {
				n.Interval = []float64{*m.Lower, *m.Upper}
			}
			list = append(list, n)
		}
	}
	return list
}

func (n *Number) samples() []float64 {
	if n.Value != nil {
		return []float64{*n.Value}
	}
	return n.Values
}

func (n *Number) check() error {
	switch {
	case strings.TrimSpace(n.Name) == "":
		return errors.New("name: expected a name, got an empty one")
	case strings.TrimSpace(n.Unit) == "":
		return errors.New("unit: expected a unit, got an empty one")
	case (n.Value != nil) == (len(n.Values) > 0):
		return errors.New("expected one of value and values")
	case n.Better != "" && n.Better != "higher" && n.Better != "lower":
		return fmt.Errorf("better: expected higher or lower, got %q", n.Better)
	case strings.ContainsFunc(n.Pkg, unicode.IsControl):
		return fmt.Errorf("pkg: expected a text of one line, got %q", n.Pkg)
	case n.Interval != nil && (len(n.Interval) != 2 || !(n.Interval[0] <= n.Interval[1])):
		return fmt.Errorf("interval: expected low and high, got %v", n.Interval)
	}
	for _, v := range n.samples() {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("value: expected a finite number, got %v", v)
		}
	}
	return nil
}

// words are the texts that have the same form in a line. Where there are several, those that
// were changed to have it are written with their characters in hexadecimal instead.
type words map[string]map[string]bool

func (w words) add(form, text string) {
	if w[form] == nil {
		w[form] = map[string]bool{}
	}
	w[form][text] = true
}

// of returns the form of a text, which no other text has.
func (w words) of(form, text string) string {
	if len(w[form]) == 1 || form == text {
		return form
	}
	var b strings.Builder
	for i, r := range text {
		if blank(r) || i == 0 && unicode.IsLower(r) {
			fmt.Fprintf(&b, "%%%02X", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// lineName returns a name in the form that a benchmark line needs: without blanks, and not
// beginning with a small letter.
func lineName(name string) string {
	name = underlined(name)
	for i, r := range name {
		return string(unicode.ToUpper(r)) + name[i+len(string(r)):]
	}
	return name
}

// underlined returns a text with "_" in place of blanks.
func underlined(text string) string {
	return strings.Map(func(r rune) rune {
		if blank(r) {
			return '_'
		}
		return r
	}, strings.TrimSpace(text))
}

func blank(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }

// ModulePath returns the path of the module whose go.mod has some text, empty if it names none.
func ModulePath(mod string) string {
	for line := range strings.Lines(mod) {
		if path, ok := strings.CutPrefix(strings.TrimSpace(line), "module "); ok {
			path, _, _ = strings.Cut(path, "//")
			return strings.Trim(strings.TrimSpace(path), "\"`")
		}
	}
	return ""
}
