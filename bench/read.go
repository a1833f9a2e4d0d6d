package bench

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"

	"sakusen/engines/plain"
)

// readAll reads at most limit bytes, compressed by gzip or not.
func readAll(r io.Reader, name string) (string, error) {
	const limit = 256 << 20
	in := bufio.NewReader(r)
	r = in
	if start, _ := in.Peek(2); string(start) == "\x1f\x8b" {
		unzipped, err := gzip.NewReader(in)
		if err != nil {
			return "", fmt.Errorf("%s: %w", name, err)
		}
		r = unzipped
	}
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
	return plainText(wide + narrow(text))
}

// narrow returns what was appended in ASCII to a text in UTF-16, beginning with a new line.
func narrow(text []byte) string {
	const least = 8 // bytes; what is shorter is taken for Chinese
	printed := func(c byte) bool { return c >= ' ' && c <= '~' || c == '\n' || c == '\r' || c == '\t' }
	var b strings.Builder
	for i, start := 0, 0; i <= len(text); i += 2 {
		if i+1 < len(text) && printed(text[i]) && printed(text[i+1]) {
			continue
		}
		end := i
		if i+1 >= len(text) {
			end = len(text)
		}
		if end-start >= least {
			b.WriteString("\n" + string(text[start:end]) + "\n")
		}
		start = i + 2
	}
	return b.String()
}

// escapes are the control sequences of terminals, unseen is what they show nothing of, and
// worn are colours whose first character was lost or written out.
var (
	escapes = plain.Pattern(`(?:\x1b\[|\x{9b})[0-?]*[ -/]*[@-~]|\x1b[]_P^X][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[()*+./#%-][0-9A-Z@<]|\x1b[78=>c]?|[\x01-\x07\x0e-\x1a\x1c-\x1f\x7f]`)
	unseen  = plain.Pattern(`[\x{ad}\x{200b}-\x{200f}\x{202a}-\x{202e}\x{2060}-\x{2064}\x{feff}]+`)
	worn    = plain.Pattern(`(?:\^\[|\\(?:e|033|x1b|u001b)|\x{241b})?\[(?:\d{1,3}(?:;\d{1,3})*)?[mK]`)
)

// stamp is what build servers put before each line when their logs are downloaded: the time,
// and before it the names of job and step (gh run view --log), behind it a stream (GitLab,
// Kubernetes) or a step (TeamCity).
var stamp = plain.Pattern(`^(?:[^\t\n]*\t[^\t\n]*\t)?\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[-+]\d\d:?\d\d)?\]?(?: \d\d[OE][ +]| std(?:out|err) F(?: |$)|[ \t]|$)|` +
	`^[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d(?: |$)|^\[?\d\d:\d\d:\d\d(?:[.,]\d+)?\]?(?:(?:[ A-Za-z]:\t ?|  ?)(?:\[Step [^\]]*\](?: |$))?|$)`)

// unstamped returns a text without times before its lines, where at least nine lines of ten have one.
func unstamped(text string) string {
	if first, _, _ := strings.Cut(strings.TrimLeft(text, "\n"), "\n"); !stamp().MatchString(first) {
		return text
	}
	lines, all, stamped := strings.Split(text, "\n"), 0, 0
	for i, line := range lines {
		if line == "" {
			continue
		}
		all++
		if before := stamp().FindString(line); before != "" {
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
	if strings.ContainsFunc(text, func(c rune) bool { return c > unicode.MaxASCII }) {
		text = unseen().ReplaceAllString(text, "")
	}
	if strings.ContainsFunc(text, func(c rune) bool { return c < ' ' && c != '\n' && c != '\t' && c != '\r' || c == 0x7f || c == 0x9b }) {
		text = escapes().ReplaceAllString(text, "")
	}
	text = strings.ReplaceAll(text, "\b", "\r") // progress that is written over
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

// known reports whether the go command prints such events. One of a package or a build may
// have fields that later versions add: what it says must not be lost for them. A test
// binary's own names no package, and then a field more shows that it is a logger's.
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
	behind  int      // how many of them stand before the last event
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
var eventStart = plain.Pattern(`\{\s*"(Time|Action|ImportPath|Package|Test|Elapsed|Output|FailedBuild)"`)

// line takes one line, in which several events may stand, or one behind other text.
func (e *events) line(line string) {
	for strings.TrimSpace(line) != "" {
		at := eventStart().FindStringIndex(line)
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
			e.behind = len(e.plain)
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
		e.failed[pkg] = e.failed[pkg] || event.Action == "fail"
		fallthrough
	default:
		e.open[pkg] = true
	}
	e.acts = true
}

// says reports whether a line without an event, which no program that is measured can have
// printed, says of a package or a command that it failed.
func (e *events) says(i int) bool {
	line := bared(strings.TrimSpace(e.plain[i]))
	return strings.HasPrefix(line, "--- FAIL: ") || strings.HasPrefix(line, lostMark) || isFail(line) || told().MatchString(line) || goFails(line) || sumFail().MatchString(line) || sumTotal().MatchString(line) ||
		i >= e.behind && (died().MatchString(line) || troubled(line))
}

// isResult reports whether a line begins with a whole result: name, number of calls, a value
// and its unit.
func isResult(line string) bool {
	rest, ok := strings.CutPrefix(line, "Benchmark")
	if !ok {
		return false
	}
	word := func() (w string) { // the next one, and the blanks behind it
		n := strings.IndexAny(rest, " \t\r\f\n")
		if n < 0 {
			return ""
		}
		w, rest = rest[:n], rest[n:]
		return w
	}
	blanks := func() { rest = strings.TrimLeft(rest, " \t\r\f\n") }
	word()
	blanks()
	calls := word()
	blanks()
	value := word()
	return calls != "" && strings.Trim(calls, "0123456789") == "" && value != "" && (strings.ContainsRune("-+.0123456789", rune(value[0])) || value == "NaN" || value == "Inf") &&
		len(rest) > 1 && rest[0] == ' ' && !strings.ContainsRune(" \t\r\f\n", rune(rest[1]))
}

// text returns the plain text of the events. It names missing parts in lines that begin
// with [lostMark] or FAIL.
func (e *events) text() string {
	var b strings.Builder
	// Text without events may have been put before or behind them.
	keep := slices.ContainsFunc(e.plain, isResult)
	last := ""
	for i, line := range e.plain {
		t := strings.TrimSpace(line)
		switch says := e.says(i); {
		case i >= e.behind:
			last += line + "\n"
		case says:
			b.WriteString(t + "\n")
		case keep:
			b.WriteString(line + "\n")
		}
		if strings.HasPrefix(t, "{") && !json.Valid([]byte(t)) || strings.Contains(t, "\x00") { // half of it, or UTF-16
			e.broken = append(e.broken, line)
		}
	}
	for _, pkg := range e.order {
		text := e.outputs[pkg].String()
		if pkg != "" && !strings.Contains(text, "pkg: ") && strings.Contains(text, "Benchmark") {
			fmt.Fprintf(&b, "pkg: %s\n", pkg) // its header is not among the events
		}
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
	b.WriteString(last)
	for _, line := range e.broken {
		fmt.Fprintf(&b, "%sthe event %.60q\n", lostMark, line)
	}
	return b.String()
}
