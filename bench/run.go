package bench

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchunit"

	"sakusen/engines/plain"
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
	// Failures are packages that failed, failed to build or did not end, and Lost is said of
	// each line whose result could not be read. A run with either is incomplete.
	Failures []*Failure
	Lost     []string
	// Ended tells that the text has ends of packages: PASS, ok or FAIL.
	Ended bool
	// Whole tells that it ends with [EndOfRun], [EndOfPart] or [EndOfSelection].
	Whole bool
	// Part tells that the text ends with [EndOfPart]: it is no baseline for what it left out.
	// Selected tells that it ends with [EndOfSelection]: it is one only where there is no other.
	Part, Selected bool
	// MachineGiven tells that the text names its machine class by [MachineKey].
	MachineGiven bool
	Warnings     []string
	procs        map[string]processors // by package
	calls        map[Series]int        // the least iterations of a sample, by [Series.benchmark]
	lines        map[Series]int        // results, by [Series.benchmark]
	pieces       map[Series][]int      // parts of the text in which a benchmark has results, by [Series.benchmark]
	begins       []int                 // lines at which packages begin after the first
	began        map[Series]int        // how often a benchmark was named without a result, by package and name
	tail         []string              // lines behind the results that are not understood
	parts        map[Series][]int      // by which of them the values of an exact series come, in their order
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
	// Literal reads benchmark text as benchstat does: every line that looks like
	// configuration counts, and zeros keep the unit that is printed. Runs were recorded so
	// before there was anything else.
	Literal bool
}

// jsonStart finds a text that may be numbers of other tools.
var jsonStart = plain.Pattern(`^\s*(?:[\[{]|window\.BENCHMARK_DATA\s*=)`)

// Read reads the output of go test -bench, plain or -json. Lines that are no
// benchmark lines are skipped; a benchmark line that cannot be read is a
// warning; no result at all is errNoResults, unless it is JSON with numbers of other tools.
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
	raw := unwrap(text)
	run, err := parse(raw, name, o)
	if errors.Is(err, errNoResults) && !o.JSON && jsonStart().MatchString(text) {
		numbers, failed := FromJSON(strings.NewReader(text), name)
		if failed != nil {
			return nil, fmt.Errorf("%w, or %w", err, failed)
		}
		raw = numbers
		run, err = parse(raw, name, o)
	}
	if err != nil || o.Usual == "" || o.Machine != "" || run.MachineGiven {
		return run, err
	}
	o.Machine = o.Usual
	return parse(raw, name, o)
}

// parse reads benchmark text by x/perf's reader, which reuses its result from
// line to line: everything that is kept is copied.
func parse(raw, name string, o ReadOptions) (*Run, error) {
	run := &Run{Name: name, Raw: raw, Values: map[Series][]float64{}, calls: map[Series]int{}, lines: map[Series]int{}, pieces: map[Series][]int{}, parts: map[Series][]int{}, began: map[Series]int{}}
	text := run.scan()
	if o.Literal {
		text = raw
	}
	for _, f := range run.Failures {
		run.warn("%v", f)
	}
	lines := strings.Split(text, "\n")
	reader := benchfmt.NewReader(strings.NewReader(text), name)
	for reader.Scan() {
		switch record := reader.Result().(type) {
		case *benchfmt.Result:
			run.add(record, o)
		case *benchfmt.SyntaxError:
			what := fmt.Sprintf("%v (what a benchmark prints can break its line: go test -v and -json keep it whole)", record)
			if broken().MatchString(lines[record.Line-1]) {
				run.Lost = append(run.Lost, what)
			}
			run.warn("%s", what)
		}
	}
	if err := reader.Err(); err != nil {
		return nil, err
	}
	run.Units = reader.Units()
	if len(run.Order) == 0 {
		why := "expected the output of go test -bench, plain or -json"
		for _, w := range run.Warnings[:min(3, len(run.Warnings))] {
			why += "; " + w
		}
		return nil, fmt.Errorf("%s: %w (%s)", name, errNoResults, why)
	}
	run.countProcessors()
	run.tellApart()
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
	if n, ok := r.calls[s]; !ok || result.Iters < n {
		r.calls[s] = result.Iters
	}
	r.lines[s]++
	_, line := result.Pos()
	part, _ := slices.BinarySearch(r.begins, line)
	if in := r.pieces[s]; len(in) == 0 || in[len(in)-1] != part {
		r.pieces[s] = append(in, part)
	}
	for _, v := range result.Values {
		s.Unit = v.Unit
		if !o.Literal {
			_, s.Unit = benchunit.Tidy(v.Value, v.Unit) // x/perf leaves zeros in the unit that was printed
		}
		none := math.IsNaN(v.Value) || math.IsInf(v.Value, 0)
		if none || result.Iters < 1 || v.Value < 0 && slices.Contains([]string{"sec/op", "B/op", "B/s", "allocs/op"}, s.Unit) {
			what := fmt.Sprintf("%s: a value that is no finite number, or below zero: %v", s.Title(), v.Value)
			if result.Iters < 1 && !none {
				what = fmt.Sprintf("%s: a number of iterations below one: %d", s.Title(), result.Iters)
			}
			if !slices.Contains(r.Lost, what) {
				r.lose("%s", what)
			}
		}
		if none {
			continue
		}
		if _, ok := r.Values[s]; !ok {
			r.Order = append(r.Order, s)
		}
		r.Values[s] = append(r.Values[s], v.Value)
		if exact(s.Unit, nil) {
			r.parts[s] = append(r.parts[s], part)
		}
	}
}

// tellApart finds names under which a text has more than one benchmark: what is exact holds
// still in each part of the text in which their package stands, and differs between them, where the
// text does not tell packages and ends.
func (r *Run) tellApart() {
	const still = 5 // values; fewer are the same by chance
	for _, s := range r.Order {
		if s.Pkg != "" && r.Ended { // its parts are of one package
			continue
		}
		values, parts, low, high := r.Values[s], r.parts[s], math.Inf(1), math.Inf(-1)
		for i, k := 0, 0; i < len(parts); i = k {
			for k = i; k < len(parts) && parts[k] == parts[i]; k++ {
			}
			if list := values[i:k]; len(list) >= still && slices.Min(list) == slices.Max(list) {
				low, high = min(low, list[0]), max(high, list[0])
			}
		}
		if low < high {
			r.lose("%s: %s is always %.12g in one part of the text and %.12g in another: are there two benchmarks of that name?", r.Name, s.Title(), low, high)
		}
	}
}

func (r *Run) warn(format string, args ...any) {
	r.Warnings = append(r.Warnings, fmt.Sprintf(format, args...))
}

// lose notes that a result is missing.
func (r *Run) lose(format string, args ...any) {
	r.Lost = append(r.Lost, fmt.Sprintf(format, args...))
	r.warn(format, args...)
}

// Incomplete reports for people what a run lacks: packages that failed, lines that were
// lost; nothing if it is complete.
func (r *Run) Incomplete() []string {
	var all []string
	for _, f := range r.Failures {
		all = append(all, f.String())
	}
	return append(all, r.Lost...)
}

// cutShort counts the benchmarks of which the run has fewer results than another one, though
// something ended them, or took their lines: of others it has as many, or more than of these though
// the other one has equally many of all, they began more often or were skipped, or the text tells
// neither packages nor ends. It returns the first of them too.
func (r *Run) cutShort(other *Run) (first Series, n int) {
	bare, whole := !r.Ended, false
	ours, theirs := map[int]bool{}, map[int]bool{}
	for s, n := range r.lines {
		bare = bare && s.Pkg == ""
		if m := other.lines[s]; m > 0 {
			ours[n], theirs[m] = true, true
			whole = whole || n >= m
		}
	}
	whole = whole || len(theirs) == 1 && len(ours) > 1
	for s, lines := range r.lines {
		if lines >= other.lines[s] {
			continue
		}
		began := max(r.began[Series{Pkg: s.Pkg, Name: s.Name}], r.began[Series{Pkg: s.Pkg, Name: r.procs[s.Pkg].cut(s.Name)}])
		if bare || whole || began > lines {
			if n++; n == 1 || s.Title() < first.Title() {
				first = s
			}
		}
	}
	return first, n
}

// missesValues returns a series of which the run has fewer values than its benchmark has results,
// though another run has one with each: a line was cut, or a unit was lost. n is the number of such
// series.
func (r *Run) missesValues(other *Run) (first Series, n int) {
	for _, s := range r.Order {
		if s.Unit == processorTime || s.Unit == SetupTime { // a sample that is measured too coarsely has none
			continue
		}
		line := s.benchmark()
		if lines := other.lines[line]; len(r.Values[s]) < r.lines[line] && lines > 0 && len(other.Values[s]) == lines {
			if n++; n == 1 {
				first = s
			}
		}
	}
	return first, n
}

// appended returns a benchmark that has more results than in another run, in more parts of the
// text: those of an earlier measurement may stand before them. Parts that one measurement wrote are
// its rounds.
func (r *Run) appended(other *Run) (first Series, found bool) {
	if r.Whole && strings.Count(r.Raw, EndOfRun) == 1 {
		return first, false
	}
	for _, s := range r.Order {
		s = s.benchmark()
		if theirs := other.lines[s]; theirs > 0 && r.lines[s] > theirs && len(r.pieces[s]) > len(other.pieces[s]) {
			return s, true
		}
	}
	return first, false
}

// copies returns what of another run stands in this one besides fresh results, "" for nothing: all
// times in their order, to the digit, and more of them; or those of a benchmark that is there under
// another identity too, which the other run lacks.
func (r *Run) copies(other *Run) string {
	distinct := func(list []float64) int { return len(slices.Compact(slices.Sorted(slices.Values(list)))) }
	bare := func(s Series) Series {
		return Series{Pkg: s.Pkg, Name: procsEnd().ReplaceAllString(s.Name, ""), Unit: s.Unit}
	}
	fresh := map[Series]bool{}
	for _, s := range r.Order {
		if _, old := other.Values[s]; s.timed() && !old {
			fresh[bare(s)] = true
		}
	}
	all, found := true, false
	for _, s := range other.Order {
		if !s.timed() {
			continue
		}
		list, own := other.Values[s], r.Values[s]
		if fresh[bare(s)] && slices.Equal(own, list) && distinct(list) >= 3 { // which do not come again by chance
			return fmt.Sprintf("the results of %s of %s, to the digit, and others of that name, of another machine or number of processors: if some are of an earlier measurement, remove them", s.Title(), other.Name)
		}
		begin := 0
		for begin < len(own)-len(list) && !slices.Equal(own[begin:begin+len(list)], list) {
			begin++
		}
		all = all && len(own) > len(list) && slices.Equal(own[begin:begin+len(list)], list)
		found = found || distinct(list) >= 5
	}
	if all && found {
		return "the results of " + other.Name + ", to the digit, besides others: results of an earlier measurement were not removed"
	}
	return ""
}

// procsEnd is what may be the number of processors at the end of a name.
var procsEnd = plain.Pattern(`-\d+$`)

// Machine returns the machine class of the run; several are joined by a comma.
func (r *Run) Machine() string {
	var classes []string
	for _, s := range r.Order {
		if !slices.Contains(classes, s.Machine) {
			classes = append(classes, s.Machine)
		}
	}
	return strings.Join(classes, ", ")
}

// Samples returns the number of values of all series.
func (r *Run) Samples() int {
	n := 0
	for _, v := range r.Values {
		n += len(v)
	}
	return n
}

// Digest returns the lower-case hexadecimal sha256 of the raw text.
func (r *Run) Digest() string {
	sum := sha256.Sum256([]byte(r.Raw))
	return hex.EncodeToString(sum[:])
}

// Find returns the series with a title, or the only one whose title holds the text.
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

// mergeUnits joins what both sides say about their units. As in benchstat, what
// one file says goes for both; the first one wins a contradiction, which is a
// warning.
func mergeUnits(sides ...*Run) (benchfmt.UnitMetadataMap, []string) {
	all := benchfmt.UnitMetadataMap{}
	var warnings []string
	for _, side := range sides {
		for _, key := range unitKeys(side.Units) {
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

// unitKeys lists what is said of units, in order. Texts are sorted, since each type that is
// sorted adds 25 kB to a program.
func unitKeys(units benchfmt.UnitMetadataMap) (list []benchfmt.UnitMetadataKey) {
	var texts []string
	for key := range units {
		texts = append(texts, key.Unit+" "+key.Key) // neither has a blank
	}
	slices.Sort(texts)
	for _, text := range texts {
		unit, key, _ := strings.Cut(text, " ")
		list = append(list, benchfmt.UnitMetadataKey{Unit: unit, Key: key})
	}
	return list
}

// direction reports whether more of a unit is better (+1), worse (-1) or unknown (0): as the
// text says, or by its form. Of what is done per second more is better, where its name is known to
// be that of work, and all words before it are known not to change that; times, bytes and
// allocations are costs, whatever they are per.
func direction(unit string, units benchfmt.UnitMetadataMap) int {
	if better := units.GetBetter(unit); better != 0 || units.Get(unit, "better") != nil {
		return better
	}
	what, per, _ := strings.Cut(unit, "/")
	if per == "s" || per == "sec" || per == "second" {
		words := strings.FieldsFunc(what, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if len(words) > 0 && work().MatchString(words[len(words)-1]) && !slices.ContainsFunc(words[:len(words)-1], func(word string) bool { return !neutral().MatchString(word) }) {
			return 1
		}
		return 0
	}
	if spare().MatchString(what) || pace().MatchString(per) {
		return 0
	}
	last := what[strings.LastIndexAny(what, "-_")+1:]
	if unit == "instructions/op" || slices.Contains([]string{"sec", "secs", "seconds", "ns", "us", "µs", "ms", "bytes", "allocs"}, last) ||
		slices.Contains([]string{"B", "KB", "MB", "GB", "KiB", "MiB", "GiB", "s"}, last) && (per != "" || last != what) {
		return -1
	}
	return 0
}

// work matches the units of rates that are better when they rise, by their last word. neutral matches
// the words before it that leave it so: those of the kind of bytes-read, and not of fsync-calls or late-packets.
// spare matches the units of amounts that may be better then, and pace what makes a cost a rate.
var (
	work = plain.Pattern(`(?i)^(?:[kmgtp]i?|kilo|mega|giga)?(?:b|bits?|bytes?|bps|(?:fl)?ops?|hz)$|^[kmg]?(?:operation|op|call|iter|iteration|round|loop|run|tick|step|cycle|req|request|response|reply|query|statement|transaction|txn|tx|` +
		`msg|message|event|notification|row|record|tuple|doc|document|line|word|token|char|rune|symbol|byte|file|object|obj|packet|pkt|datagram|frame|segment|game|node|nps|move|play|playout|simulation|sim|position|pos|ply|estimate|result|test|dispatch|trial|match|` +
		`sample|point|particle|vertex|triangle|polygon|vector|ray|path|key|entry|item|elem|element|value|val|field|attr|job|task|unit|work|block|chunk|batch|hash|digest|signature|sig|handshake|image|img|pixel|px|voxel|tile|read|write|get|set|put|insert|update|lookup|` +
		`search|scan|parse|encode|decode|encoding|decoding|render|compile|build|commit|push|pop|enqueue|dequeue|send|recv|conn|connection|session|stream|user|client|fps|tps|qps|rps|instruction|inst|insn|match|hit|span|metric|series|log|flag|visit|expansion|evaluation|eval|state|edge|pair|group|train|epoch|generation|inference|p)(?:e?s)?$|^(?:quer(?:y|ies)|entries|replies|plies|vertices)$`)
	neutral = plain.Pattern(`(?i)^(?:total|overall|avg|average|mean|median|max|peak|net|real|effective|throughput|goodput|rate|good|ok|valid|success|successes|successful|accepted|completed|complete|done|finished|committed|processed|handled|served|answered|delivered|acked|` +
		`sent|received|recv|read|written|stored|inserted|indexed|encoded|decoded|compressed|uncompressed|decompressed|encrypted|decrypted|parsed|rendered|compiled|hashed|signed|verified|sorted|searched|scanned|matched|played|simulated|visited|evaluated|generated|trained|` +
		`input|output|in|out|raw|src|dst|plain|plaintext|random|seq|sequential|parallel|concurrent|http|https|http2|grpc|rpc|sql|json|xml|csv|yaml|proto|protobuf|tcp|udp|go|search|mcts|[kmgt]i?b|b|bits?|bytes?)$`)
	spare = plain.Pattern(`(?i)(?:^|[-_])(?:free|avail(?:able)?|saved|savings|spare|remaining|headroom|budget|capacity|uptime|ttl|throughput|goodput|bandwidth|speed|rate)(?:$|[-_])`)
	pace  = plain.Pattern(`(?i)(?:^|[-_/])(?:[mnuµ]?s|[mnuµ]?secs?|seconds?|min|minutes?|h|hrs?|hours?|d|days?|clk|clocks?|cycles?|inst|insns?|instrs?|instructions?|j|joules?|w|watts?|k?wh|hz|usd|eur)(?:$|[-_/])`)
)
