package bench

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"sakusen/engines/plain"
)

// scanner tells the parts of a text: header blocks from what benchmarks print, packages
// that ended from those that failed, and lines in which a result was lost.
type scanner struct {
	run   *Run
	lines []string
	// ends tells that the text is one in which packages tell their end (PASS, ok), so that
	// one that does not has none; goos that it has headers of package testing.
	ends, goos bool
	pkgs       bool            // some header names its package
	oks        bool            // some package ends by the line of the go command
	last       int             // the line of the last result
	end        int             // the line of the last end of a package
	header     bool            // in a header block
	seen       map[string]bool // its keys
	early      bool            // the package is named there before goos
	part       part
}

// part is what one package printed.
type part struct {
	pkg            string
	results, ended bool
	closed         bool // by the line ok
	failed         bool
	dying          string // last words, as long as no PASS follows
}

var (
	// commands are headings of hyperfine, which no benchmark of Go can be taken for.
	commands = plain.Pattern(`^Benchmark\s+\d+: `)
	logged   = plain.Pattern(`^\s+\S+\.go:\d+:`)
	// strayed finds a result that does not begin its line: other text stands before its
	// name, or in the place of it, or the line was wrapped.
	strayed = plain.Pattern(`^\s+[-+]?[\d.]+(e[-+]?\d+)? (?:\S+/(?:op|s)(?:\s|$)|\S+\t)|^[-+]?[\d.]+(e[-+]?\d+)? (?:\S+/op\s*$|\S+/\S+\s+[-+]?[\d.]+(e[-+]?\d+)? \S+/op)|\d\s+[-+]?[\d.]+(e[-+]?\d+)? \S+/op|Benchmark\S*\s+\d+\s+[-+]?[\d.]+(e[-+]?\d+)? \S`)
	// named finds lines that may begin with the name of a benchmark.
	named = plain.Pattern(`^Benchmark([^\p{Ll}\s]|$|\s+\d)`)
	// broken finds lines with a name of go test that hold no result.
	broken = plain.Pattern(`^Benchmark(?:[^\p{Ll}\s]\S*)?(\s*\t|\s\s|\s\d|\s.*/op|\S*-\d+\s)`)
)

// EndOfRun is the last line of a text that [sakusen/bench/runner] wrote whole: it has no ends of packages.
const EndOfRun = "measured-by: sakusen-bench run"

// EndOfPart is that line where packages were left out that were equal on both sides, or for which
// there was no time.
const EndOfPart = EndOfRun + ", in part"

// EndOfSelection is that line where the user named packages or benchmarks.
const EndOfSelection = EndOfRun + ", of a selection"

// scan reads what a text says of itself, and returns it without the lines that only look
// like a header; line numbers stay.
func (r *Run) scan() string {
	s := scanner{run: r, lines: strings.Split(r.Raw, "\n"), header: true, seen: map[string]bool{}}
	for i, line := range s.lines {
		if line = bared(strings.TrimRight(line, " \t")); slices.Contains([]string{EndOfRun, EndOfPart, EndOfSelection}, line) {
			line = ""
		}
		s.lines[i] = line
		if strings.HasPrefix(line, "Benchmark") {
			if isResult(line) {
				s.last = i
			}
			s.ends = s.ends || strings.Contains(line, "ok") && okBehind().MatchString(line)
			continue
		}
		closed := okLine().MatchString(line)
		s.ends = s.ends || closed || line == "PASS" || isFail(line) && !builds(line) || strings.Contains(line, "ok") && okBehind().MatchString(line)
		if s.oks = s.oks || closed; closed || line == "PASS" || isFail(line) || strings.HasPrefix(line, "?\t") || strings.HasPrefix(line, "? ") {
			s.end = i
		}
		s.goos = s.goos || strings.HasPrefix(line, "goos: ")
		s.pkgs = s.pkgs || strings.HasPrefix(line, "pkg: ")
	}
	r.Ended = s.ends
	text := strings.TrimRight(r.Raw, "\r\n")
	r.Part = strings.HasSuffix(text, "\n"+EndOfPart)
	r.Selected = strings.HasSuffix(text, "\n"+EndOfSelection)
	r.Whole = r.Part || r.Selected || strings.HasSuffix(text, "\n"+EndOfRun)
	s.once()
	if s.last > 0 && !s.pkgs {
		s.nameless()
	}
	for i, line := range s.lines {
		if !s.line(i, line) {
			s.lines[i] = ""
		}
	}
	s.finish()
	s.tail()
	return strings.Join(s.lines, "\n")
}

// nameless finds packages that end by name, have benchmarks of one name, and no line that tells
// before their results whose they are.
func (s *scanner) nameless() {
	of, names := map[string]string{}, map[string]bool{}
	for i, line := range s.lines {
		switch {
		case strings.HasPrefix(line, "Benchmark") && isResult(line):
			names[line[:strings.IndexAny(line, " \t")]] = true
		case okLine().MatchString(line):
			pkg := strings.Fields(line)[1]
			for name := range names {
				if other := of[name]; other != "" && other != pkg {
					s.lost(i, "the names of packages that have benchmarks of one name:")
					return
				}
				of[name] = pkg
			}
			clear(names)
		}
	}
}

// tail gathers what stands behind all results and ends and is not understood: a process may
// have been ended there, in words of any program. Where no end is told, it is a loss.
func (s *scanner) tail() {
	if s.last == 0 && s.end == 0 || len(s.run.Failures)+len(s.run.Lost) > 0 {
		return
	}
	for i := max(s.last, s.end) + 1; i < len(s.lines); i++ {
		if line := s.lines[i]; strings.TrimSpace(line) != "" && !understood(line) {
			if !s.ends {
				s.lost(i, "the end: behind the last result stands")
				return
			}
			s.run.tail = append(s.run.tail, line)
		}
	}
}

// once blanks results that stand there again, where all do equally often: a measurement that is
// counted twice proves too much. Only where values vary does that show.
func (s *scanner) once() {
	type result struct{ pkg, name, line string }
	list, pkg, times, varies := map[int]result{}, "", map[result]int{}, map[[2]string]int{}
	for i, line := range s.lines {
		if after, ok := strings.CutPrefix(line, "pkg: "); ok {
			pkg = after
		} else if strings.HasPrefix(line, "Benchmark") && isResult(line) {
			r := result{pkg, line[:strings.IndexAny(line, " \t")], line}
			if times[r]++; times[r] == 1 {
				varies[[2]string{r.pkg, r.name}]++
			}
			list[i] = r
		}
	}
	copies := 0
	for r, n := range times {
		if varies[[2]string{r.pkg, r.name}] >= 3 {
			for n != 0 { // their greatest common divisor
				copies, n = n, copies%n
			}
		}
	}
	if copies < 2 {
		calls := map[[2]string]map[string]bool{}
		for _, r := range list {
			key := [2]string{r.pkg, r.name}
			if calls[key] == nil {
				calls[key] = map[string]bool{}
			}
			calls[key][strings.Fields(r.line)[1]] = true
		}
		again := 0
		var before result
		for i := range s.lines {
			if r, ok := list[i]; ok {
				// Where go test chose the number of calls, no two results are the same, let alone beside each other.
				if r == before && len(calls[[2]string{r.pkg, r.name}]) >= 3 {
					s.lines[i] = ""
					again++
				}
				before = r
			}
		}
		if again > 0 {
			s.run.warn("%d results stand there twice, beside each other: each counts once", again)
		}
		return
	}
	often := "twice"
	if copies > 2 {
		often = fmt.Sprint(copies, " times")
	}
	s.run.warn("every result stands there %s: each counts once", often)
	last, seen := "", map[result]int{}
	for i, line := range s.lines {
		if r, ok := list[i]; ok {
			seen[r]++
			if seen[r]*copies > times[r] {
				s.lines[i] = ""
			}
		} else if line == last { // a header that is printed line by line
			s.lines[i] = ""
		}
		last = line
	}
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
		if strings.HasPrefix(line, "Benchmark") || strayed().MatchString(line[len(line)-longest/8:]) {
			s.lost(i, "a result longer than any")
		} else {
			s.line(i, line[:longest/8])
		}
		return false
	case strings.HasPrefix(line, "Benchmark ") && commands().MatchString(line):
		return false
	case strings.Contains(line, "--- FAIL: ") && failName().MatchString(line):
		f := s.fail(s.part.pkg, "failed")
		if name := failName().FindStringSubmatch(line)[1]; !slices.Contains(f.Names, name) {
			f.Names = append(f.Names, name)
		}
		s.part.failed = true
		return false
	case strings.Contains(line, "--- SKIP: Benchmark") && skipName().MatchString(line):
		s.run.began[Series{Pkg: s.part.pkg, Name: skipName().FindStringSubmatch(line)[1]}] += math.MaxInt32
	case strings.HasPrefix(line, "Benchmark") && !isResult(line) && !named().MatchString(line): // a program's own words
	case strings.HasPrefix(line, "Benchmark"):
		if s.header && s.pkgs && s.seen["goos"] && !s.seen["pkg"] && !s.early || s.goos && s.part.ended {
			s.lost(i, "the name of the package above")
		}
		s.header = false
		if strings.ContainsAny(line, " \t") {
			s.part.results, s.part.ended, s.part.closed = true, false, false
		} else {
			s.run.began[Series{Pkg: s.part.pkg, Name: line[len("Benchmark"):]}]++
		}
	case len(key) < len(line) && slices.Contains([]string{"goos", "goarch", "pkg", "cpu"}, key):
		return s.key(i, key, strings.TrimSpace(line[len(key)+1:]))
	case sumFail().MatchString(line):
		s.fail(sumFail().FindStringSubmatch(line)[1], "failed")
		s.header = false
	case sumTotal().MatchString(line):
		if len(s.run.Failures) == 0 {
			s.fail("", "failed").Names = []string{line}
		}
	case strings.HasPrefix(line, "=== "):
		s.header = false
	case line == "PASS", okLine().MatchString(line):
		if fields := strings.Fields(line); line != "PASS" {
			if p := &s.part; s.goos && p.results && !p.closed && p.pkg != "" && p.pkg != fields[1] {
				s.lost(i, "the header of the package that ended")
			}
			s.part.closed = true
		}
		s.header, s.part.ended, s.part.dying = false, true, ""
	case isFail(line):
		s.failLine(line)
	case told().MatchString(line), goFails(line), strings.Contains(line, "FAIL") && strayFail().MatchString(line) && !s.logged(i), died().MatchString(line) && s.ofRuntime(i):
		if f := s.fail(s.part.pkg, "failed"); len(f.Names) == 0 {
			f.Names = []string{line}
		}
	case died().MatchString(line):
		s.part.dying = line
	case s.outside(i) && troubled(line), s.header && !s.part.results && cutOff().MatchString(line):
		if f := s.fail(s.part.pkg, "stands beside words of a failure"); len(f.Names) == 0 {
			f.Names = []string{cut(line, 100)}
		}
	case (strings.Contains(line, "/op") || strings.Contains(line, "/s") || strings.Contains(line, "Benchmark")) && strayed().MatchString(line) && !s.logged(i):
		s.lost(i, "a result that does not begin its line")
	}
	return true
}

// outside reports whether no program that is measured can have printed a line: it stands behind all
// results and ends. Between two packages it may be of the second, before its first benchmark.
func (s *scanner) outside(i int) bool { return s.last > 0 && i > max(s.last, s.end) }

// logged reports whether a line is of what a benchmark logs: package testing indents what follows
// the first line of that by more than the number of a result.
func (s *scanner) logged(i int) bool {
	for i > 0 && strings.HasPrefix(s.lines[i], "        ") && !logged().MatchString(s.lines[i]) {
		i--
	}
	return logged().MatchString(s.lines[i])
}

// ofRuntime reports whether last words are followed by the stack that the runtime of a
// program prints when it dies, behind an empty line.
func (s *scanner) ofRuntime(i int) bool {
	for k := i + 1; k+1 < len(s.lines) && k < i+6; k++ {
		if strings.TrimSpace(s.lines[k]) == "" {
			return strings.HasPrefix(s.lines[k+1], "goroutine ") || strings.HasPrefix(s.lines[k+1], "runtime stack:")
		}
	}
	return false
}

// key takes a line that names where the results were measured. It counts in a header
// block alone: at the beginning, after the end of a package, or from goos on, up to the
// first result, and there once. A text without ends was put together by other means, and
// may name its packages anywhere.
func (s *scanner) key(i int, key, value string) bool {
	switch {
	case key == "goos" && (!s.header || s.seen[key] || len(s.seen) > 0 && s.part.results), !s.header && s.part.ended, !s.header && !s.ends && key == "pkg":
		s.begin()
		s.run.begins = append(s.run.begins, i+1)
	case key == "goos":
		s.early = s.seen["pkg"] // the block has its lines in another order
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
	s.part, s.header, s.seen, s.early = part{pkg: s.part.pkg}, true, map[string]bool{}, false
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

// fail returns the failure of a package, which is noted once.
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

// trailing returns the number that ends a name, with "" for none.
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
