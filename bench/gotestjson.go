package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

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
