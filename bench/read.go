package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// readAll reads at most limit bytes.
func readAll(r io.Reader, name string) (string, error) {
	const limit = 256 << 20
	text, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	if len(text) > limit {
		return "", fmt.Errorf("%s: expected at most %d bytes of benchmark output", name, limit)
	}
	return decode(text), nil
}

// decode turns what shells and terminals make of a text into UTF-8 with the line ends of
// Unix: UTF-16 (PowerShell), byte order marks, colours, carriage returns.
func decode(text []byte) string {
	var units []uint16
	zeros := func(at int) bool { return len(text) >= 4 && text[at] == 0 && text[at+2] == 0 }
	switch {
	case bytes.HasPrefix(text, []byte{0xff, 0xfe}), zeros(1):
		for i := 0; i+1 < len(text); i += 2 {
			units = append(units, uint16(text[i])|uint16(text[i+1])<<8)
		}
	case bytes.HasPrefix(text, []byte{0xfe, 0xff}), zeros(0):
		for i := 0; i+1 < len(text); i += 2 {
			units = append(units, uint16(text[i])<<8|uint16(text[i+1]))
		}
	default:
		return plainText(string(text))
	}
	wide, shifted := string(utf16.Decode(units)), 0
	for _, c := range wide {
		if shifted++; c&0xff != 0 || c < 0x0a00 || c > 0x7e00 {
			shifted = 0
		}
		if shifted == 4 { // ASCII by an odd number of bytes too late
			wide += "\n" + lostMark + "text in two encodings\n"
			break
		}
	}
	return plainText(wide)
}

// escapes are the control sequences of terminals.
var escapes = regexp.MustCompile(`\x1b\[[0-?]*[ -/]*[@-~]|\x1b[]_P^X][^\x07\x1b]*(\x07|\x1b\\)`)

// stamp is what build servers put before each line when their logs are downloaded: the time,
// and before it the names of job and step (gh run view --log), behind it a stream (GitLab).
var stamp = regexp.MustCompile(`^(?:[^\t\n]*\t[^\t\n]*\t)?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[-+]\d\d:?\d\d)(?: \d\d[OE][ +]| |$)`)

// unstamped is a text without times before its lines, where at least nine lines of ten have one.
func unstamped(text string) string {
	if first, _, _ := strings.Cut(strings.TrimLeft(text, "\n"), "\n"); !stamp.MatchString(first) {
		return text
	}
	lines, all, stamped := strings.Split(text, "\n"), 0, 0
	for i, line := range lines {
		if line == "" {
			continue
		}
		all++
		if before := stamp.FindString(line); before != "" {
			stamped++
			lines[i] = line[len(before):]
		}
	}
	if 10*stamped < 9*all {
		return text
	}
	return strings.Join(lines, "\n")
}

func plainText(text string) string {
	text = strings.ReplaceAll(text, "\ufeff", "")
	if strings.Contains(text, "\x1b") {
		text = escapes.ReplaceAllString(text, "")
	}
	if strings.Contains(text, "\r") {
		for strings.Contains(text, "\r\r") {
			text = strings.ReplaceAll(text, "\r\r", "\r")
		}
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	}
	return unstamped(text)
}

// testEvent is a line of go test -json (go doc test2json).
type testEvent struct {
	Time, Action, Package, ImportPath, Test, Output, FailedBuild, Key, Value, Path string

	Elapsed float64
}

// known tells whether the go command prints such events. One of a package or a build may have
// fields that later versions add: what it says must not be lost for them. A test binary's
// own names no package, and then a field more shows that it is a logger's.
func (e *testEvent) known(whole []byte) bool {
	if !slices.Contains([]string{"start", "run", "pause", "cont", "pass", "bench", "fail", "output", "skip", "attr", "artifacts", "build-output", "build-fail"}, e.Action) {
		return false
	}
	strict := json.NewDecoder(bytes.NewReader(whole))
	strict.DisallowUnknownFields()
	return e.Package != "" || e.ImportPath != "" || e.Action == "output" && e.Output != "" || strict.Decode(&testEvent{}) == nil
}

// lostMark begins a line in which a text that was unwrapped tells what it lacks.
const lostMark = "--- LOST: "

// events are the output of go test -json, gathered by package in the order in which
// packages first spoke: a benchmark's line is split over several events, and packages that
// run side by side are mixed.
type events struct {
	order   []string
	outputs map[string]*strings.Builder
	open    map[string]bool // packages that have begun and not ended
	failed  map[string]bool
	passed  map[string]bool
	plain   []string // lines that are no events
	broken  []string // events that were cut or mixed with other text
	acts    bool     // there are events other than output
}

// unwrap turns the output of go test -json back into its text, and leaves plain text
// alone. It is the events that tell: the go command, linkers and loggers write lines of
// their own between them.
func unwrap(text string) string {
	if !strings.Contains(text, `"Action"`) {
		return text
	}
	e := events{outputs: map[string]*strings.Builder{}, open: map[string]bool{}, failed: map[string]bool{}, passed: map[string]bool{}}
	for line := range strings.Lines(text) {
		e.line(strings.TrimRight(line, "\n"))
	}
	if len(e.order) == 0 {
		return text
	}
	return plainText(e.text())
}

// eventStart finds where an event begins in a line.
var eventStart = regexp.MustCompile(`\{\s*"(Time|Action|ImportPath|Package|Test|Elapsed|Output|FailedBuild)"`)

// line takes one line, in which several events may stand, or one behind other text.
func (e *events) line(line string) {
	for strings.TrimSpace(line) != "" {
		at := eventStart.FindStringIndex(line)
		if at == nil {
			e.plain = append(e.plain, line)
			return
		}
		if before := line[:at[0]]; strings.TrimSpace(before) != "" {
			e.plain = append(e.plain, before)
		}
		line = line[at[0]:]
		var whole json.RawMessage
		decoder := json.NewDecoder(strings.NewReader(line))
		if err := decoder.Decode(&whole); err != nil {
			e.broken = append(e.broken, line)
			return
		}
		line = line[decoder.InputOffset():]
		var event testEvent
		if json.Unmarshal(whole, &event) == nil && event.known(whole) {
			e.add(&event)
		}
	}
}

func (e *events) add(event *testEvent) {
	pkg := event.Package
	if pkg == "" {
		pkg, _, _ = strings.Cut(event.ImportPath, " ")
	}
	if e.outputs[pkg] == nil {
		e.outputs[pkg] = &strings.Builder{}
		e.order = append(e.order, pkg)
	}
	switch event.Action {
	case "output":
		e.outputs[pkg].WriteString(event.Output)
		e.open[pkg] = true
		return
	case "build-output": // a package of its own only if it fails
	case "build-fail":
		e.failed[pkg] = true
	case "pass", "fail", "skip":
		if event.Test == "" {
			e.open[pkg] = false
			e.failed[pkg] = e.failed[pkg] || event.Action == "fail"
			e.passed[pkg] = event.Action == "pass"
			break
		}
		fallthrough
	default:
		e.open[pkg] = true
	}
	e.acts = true
}

// aResult finds a whole result at the beginning of a line.
var aResult = regexp.MustCompile(`^Benchmark\S*\s+\d+\s+[-+.\d]\S* \S`)

// text is the plain text of the events. What it lacks it says in lines that begin with
// [lostMark] or FAIL.
func (e *events) text() string {
	var b strings.Builder
	// Text without events may have been put before or behind them.
	keep := slices.ContainsFunc(e.plain, aResult.MatchString)
	for _, line := range e.plain {
		t := strings.TrimSpace(line)
		if keep || strings.HasPrefix(t, "--- FAIL: ") || strings.HasPrefix(t, lostMark) || isFail(t) {
			b.WriteString(line + "\n")
		}
		if strings.HasPrefix(t, "{") && !json.Valid([]byte(t)) {
			e.broken = append(e.broken, line)
		}
	}
	for _, pkg := range e.order {
		text := e.outputs[pkg].String()
		b.WriteString(text)
		if text != "" && !strings.HasSuffix(text, "\n") {
			b.WriteByte('\n')
		}
		switch {
		case e.failed[pkg] && !strings.HasPrefix(text, "FAIL") && !strings.Contains(text, "\nFAIL"):
			fmt.Fprintf(&b, "FAIL\t%s\n", pkg)
		case e.passed[pkg] && !strings.HasPrefix(text, "PASS") && !strings.Contains(text, "\nPASS"):
			b.WriteString("PASS\n")
		}
		if e.acts && e.open[pkg] {
			fmt.Fprintf(&b, "%sthe end of package %s\n", lostMark, pkg)
		}
	}
	for _, line := range e.broken {
		fmt.Fprintf(&b, "%sthe event %.60q\n", lostMark, line)
	}
	return b.String()
}

// Failure is a package that did not come to its end.
type Failure struct {
	Pkg   string   // "" if the text does not tell
	What  string   // failed, failed to build, did not end
	Names []string // benchmarks and tests that failed
}

func (f *Failure) String() string {
	text := "package " + f.Pkg
	if f.Pkg == "" {
		text = "a package"
	}
	text += " " + f.What
	if len(f.Names) > 0 {
		text += " (" + strings.Join(f.Names, ", ") + ")"
	}
	return text + ": its results may be incomplete"
}

// scanner tells the parts of a text: header blocks from what benchmarks print, packages
// that ended from those that failed, and lines in which a result was lost.
type scanner struct {
	run   *Run
	lines []string
	// ends tells that the text is one in which packages tell their end (PASS, ok), so that
	// one that does not has none; goos that it has headers of package testing.
	ends, goos bool
	header     bool            // in a header block
	seen       map[string]bool // its keys
	part       part
}

// part is what one package printed.
type part struct {
	pkg            string
	results, ended bool
	failed         bool
	dying          string // last words, as long as no PASS follows
}

var (
	okLine   = regexp.MustCompile(`^ok\s+\S+\s+(\(|[\d.]+s)`)
	failLine = regexp.MustCompile(`^FAIL(\t|\s\s+|\s\S+ \[)`)
	failName = regexp.MustCompile(`^(?:Benchmark\S*\s+|\s*)--- FAIL: (\S+)`)
	// sumFail finds what gotestsum says of a package or a test that failed, and sumTotal the last
	// line of it; the name is that of the package.
	sumFail  = regexp.MustCompile(`^(?:✖\s+|=== (?:FAIL|ERROR): )(\S+)`)
	sumTotal = regexp.MustCompile(`^DONE \d+ (?:runs, \d+ )?tests?\b.*, \d+ (?:failure|error)s?\b`)
	// died finds the last words of a process, of the shell or make that ran it, or of a build
	// server's step.
	died = regexp.MustCompile(`^(?:panic: |fatal error: |exit status |signal: |\*\*\* Test killed|runtime: out of memory|SIGQUIT: |` +
		`g?make(?:\[\d+\])?: \*\*\* |(?:##\[error\]|Error: |ERROR: )(?:Process completed with|Job failed: )|(?:bash: line \d+: +\d+ )?(?:Killed|Terminated|Segmentation fault|Bus error|Aborted)(?: +\(core dumped\)| {2}|$))`)
	// commands are headings of hyperfine, which no benchmark of Go can be taken for.
	commands = regexp.MustCompile(`^Benchmark\s+\d+: `)
	logged   = regexp.MustCompile(`^\s+\S+\.go:\d+:`)
	// strayed finds a result that does not begin its line: other text stands before its
	// name, or in the place of it.
	strayed = regexp.MustCompile(`\d\s+[-+]?[\d.]+(e[-+]?\d+)? \S+/op|Benchmark\S*\s+\d+\s+[-+]?[\d.]+(e[-+]?\d+)? \S`)
	// named finds lines that may begin with the name of a benchmark.
	named = regexp.MustCompile(`^Benchmark([^\p{Ll}\s]|$|\s+\d)`)
	// broken finds lines with a name of go test that hold no result.
	broken = regexp.MustCompile(`^Benchmark(?:[^\p{Ll}\s]\S*)?(\s*\t|\s\s|\s\d|\s.*/op|\S*-\d+\s)`)
)

func isFail(line string) bool { return line == "FAIL" || failLine.MatchString(line) }

// builds tells that a line of FAIL is of a package that was never run.
func builds(line string) bool {
	return strings.HasSuffix(line, "[build failed]") || strings.HasSuffix(line, "[setup failed]")
}

// scan reads what a text says of itself, and returns it without the lines that only look
// like a header; line numbers stay.
func (r *Run) scan() string {
	s := scanner{run: r, lines: strings.Split(r.Raw, "\n"), header: true, seen: map[string]bool{}}
	for i, line := range s.lines {
		line = strings.TrimRight(line, " \t")
		s.lines[i] = line
		s.ends = s.ends || line == "PASS" || okLine.MatchString(line) || isFail(line) && !builds(line)
		s.goos = s.goos || strings.HasPrefix(line, "goos: ")
	}
	r.Ended = s.ends
	for i, line := range s.lines {
		if !s.line(i, line) {
			s.lines[i] = ""
		}
	}
	s.finish()
	return strings.Join(s.lines, "\n")
}

// longest bounds a line; x/perf's reader ends at 64 KiB.
const longest = 32 << 10

// line takes one line and tells whether it stays.
func (s *scanner) line(i int, line string) bool {
	switch key, _, _ := strings.Cut(line, ":"); {
	case strings.HasPrefix(line, lostMark):
		s.run.lose("%s: lost %s", s.run.Name, strings.TrimPrefix(line, lostMark))
	case strings.Contains(line, "\x00"):
		s.lost(i, "zero bytes")
		return false
	case len(line) > longest:
		// A result may stand behind what a program printed without an end.
		if strings.HasPrefix(line, "Benchmark") || strayed.MatchString(line[len(line)-longest/8:]) {
			s.lost(i, "a result longer than any")
		}
		return false
	case commands.MatchString(line):
		return false
	case failName.MatchString(line):
		f := s.fail(s.part.pkg, "failed")
		if name := failName.FindStringSubmatch(line)[1]; !slices.Contains(f.Names, name) {
			f.Names = append(f.Names, name)
		}
		s.part.failed = true
		return false
	case strings.HasPrefix(line, "Benchmark") && !named.MatchString(line): // a program's own words
	case strings.HasPrefix(line, "Benchmark"):
		s.header = false
		if strings.ContainsAny(line, " \t") {
			s.part.results, s.part.ended = true, false
		}
	case len(key) < len(line) && slices.Contains([]string{"goos", "goarch", "pkg", "cpu"}, key):
		return s.key(key, strings.TrimSpace(line[len(key)+1:]))
	case sumFail.MatchString(line):
		s.fail(sumFail.FindStringSubmatch(line)[1], "failed")
		s.header = false
	case sumTotal.MatchString(line):
		if len(s.run.Failures) == 0 {
			s.fail("", "failed").Names = []string{line}
		}
	case strings.HasPrefix(line, "=== "):
		s.header = false
	case line == "PASS", okLine.MatchString(line):
		s.header, s.part.ended, s.part.dying = false, true, ""
	case isFail(line):
		s.failLine(line)
	case died.MatchString(line):
		s.part.dying = line
	case (strings.Contains(line, "/op") || strings.Contains(line, "Benchmark")) && strayed.MatchString(line) && !logged.MatchString(line):
		s.lost(i, "a result that does not begin its line")
	}
	return true
}

// key takes a line that names where the results were measured. It counts in a header
// block alone: at the beginning, after the end of a package, or from goos on, up to the
// first result, and there once. A text without ends was put together by other means, and
// may name its packages anywhere.
func (s *scanner) key(key, value string) bool {
	switch {
	case key == "goos" && (!s.header || s.seen[key] || len(s.seen) > 0 && s.part.results), !s.header && s.part.ended, !s.header && !s.ends && key == "pkg":
		s.begin()
	case key == "goos":
		clear(s.seen)
	case !s.header && !s.ends && !s.goos:
	case !s.header || s.seen[key]:
		return false
	}
	s.seen[key] = true
	if key == "pkg" {
		s.part.pkg = value
	}
	return true
}

// begin begins a header block.
func (s *scanner) begin() {
	s.finish()
	s.part, s.header, s.seen = part{pkg: s.part.pkg}, true, map[string]bool{}
}

// finish looks at how a package ended.
func (s *scanner) finish() {
	switch p := &s.part; {
	case p.failed:
	case p.dying != "":
		s.fail(p.pkg, "failed").Names = []string{p.dying}
	case s.ends && (p.results || s.seen["goos"] || s.seen["pkg"]) && !p.ended:
		s.fail(p.pkg, "did not end")
	}
}

// failLine takes a line that says FAIL, of a package or at the end of all.
func (s *scanner) failLine(line string) {
	fields := strings.Fields(line)
	switch {
	case len(fields) > 1 && builds(line):
		s.fail(fields[1], "failed to build")
		return
	case len(fields) > 1:
		s.fail(fields[1], "failed")
		s.part.pkg = fields[1]
	case len(s.run.Failures) == 0 || s.part.results && !s.part.ended:
		s.fail(s.part.pkg, "failed")
	}
	s.header, s.part.ended, s.part.failed = false, true, true
}

// fail is the failure of a package, which is noted once.
func (s *scanner) fail(pkg, what string) *Failure {
	for _, f := range s.run.Failures {
		if f.Pkg == pkg {
			return f
		}
	}
	f := &Failure{Pkg: pkg, What: what}
	s.run.Failures = append(s.run.Failures, f)
	return f
}

func (s *scanner) lost(i int, what string) {
	line := strings.ToValidUTF8(strings.TrimSpace(s.lines[i]), string(utf8.RuneError))
	s.run.lose("%s:%d: lost %s: %.60q", s.run.Name, i+1, what, line)
}

// processors finds the numbers of processors that end the names of each package. A
// function's own name has no hyphen, so what follows one there is such a number; all names
// of a package share it, or those of a list (-cpu). Where only sub-benchmarks are, a number
// that all share is one, but may also be part of their names: then likely is false.
type processors struct {
	numbers map[string]bool // "" stands for a name without
	likely  bool
}

// trailing is the number that ends a name, with "" for none.
func trailing(name string) string {
	i := strings.LastIndexByte(name, '-')
	if i < 0 || i == len(name)-1 || strings.Trim(name[i+1:], "0123456789") != "" {
		return ""
	}
	return name[i+1:]
}

func (p processors) cut(name string) string {
	if n := trailing(name); n != "" && p.numbers[n] {
		return name[:len(name)-len(n)-1]
	}
	return name
}

// countProcessors fills in the processors of all packages.
func (r *Run) countProcessors() {
	names := map[string]map[string]bool{}
	for _, s := range r.Order {
		if names[s.Pkg] == nil {
			names[s.Pkg] = map[string]bool{}
		}
		names[s.Pkg][s.Name] = true
	}
	r.procs = map[string]processors{}
	for _, pkg := range slices.Sorted(maps.Keys(names)) {
		top, all := map[string]bool{}, map[string]bool{}
		for name := range names[pkg] {
			all[trailing(name)] = true
			if !strings.Contains(name, "/") {
				top[trailing(name)] = true
			}
		}
		p := processors{top, true}
		if len(top) == 0 {
			if p = (processors{all, false}); len(all) > 1 {
				p.numbers = nil
			}
		}
		r.procs[pkg] = p
		if !p.likely || len(p.numbers) < 2 || !p.numbers[""] {
			continue
		}
		// With -cpu 1,2 both n on two processors and n-2 on one print n-2.
		for _, name := range slices.Sorted(maps.Keys(names[pkg])) {
			if p.cut(name) != name && slices.ContainsFunc(slices.Collect(maps.Keys(p.numbers)), func(n string) bool { return n != "" && names[pkg][name+"-"+n] }) {
				r.lose("%s: the name %s stands for two benchmarks: measure one value of -cpu at a time", r.Name, Series{Pkg: pkg, Name: name}.Title())
			}
		}
	}
}
