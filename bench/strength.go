package bench

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"sakusen/engines/plain"
)

// Bisect is what finds the commit at which a series failed: the command bisect.
type Bisect struct {
	Program string   `json:"program"` // as it is called
	Series  string   `json:"series"`
	Good    string   `json:"good"`
	Bad     string   `json:"bad"`
	Flags   []string `json:"flags,omitempty"` // with their values
}

// String returns the command for a shell, empty for nil.
func (b *Bisect) String() string {
	if b == nil {
		return ""
	}
	words := []string{b.Program, "bisect", plain.ShellWord(b.Series), plain.ShellWord(b.Good + ".." + b.Bad)}
	for _, word := range b.Flags {
		words = append(words, plain.ShellWord(word))
	}
	return strings.Join(words, " ")
}

// line returns a line that says how to find the commit; empty for nil.
func (b *Bisect) line() string {
	if b == nil {
		return ""
	}
	return "which commit: " + b.String() + "\n"
}

// Strength is what a match that was played beside a gate says; nil where none was.
type Strength struct {
	Match   any     // its JSON
	Said    string  // for people
	Outcome Outcome // Pass: not weaker; Regression: weaker; Undecided
}

// Joint returns the verdict on speed and strength together: a regression of either is
// one, and a strength that is not settled keeps a gate from passing.
func (s *Strength) Joint(g Gate) Outcome {
	if s != nil && (s.Outcome == Regression || s.Outcome == Undecided && g.Outcome == Pass) {
		return s.Outcome
	}
	return g.Outcome
}

// Write writes the match for people, and the verdict on speed and strength
// together.
func (s *Strength) Write(w io.Writer, both Outcome) error {
	_, err := io.WriteString(w, s.text(both))
	return err
}

func (s *Strength) text(both Outcome) string {
	if s == nil {
		return ""
	}
	return fmt.Sprintf("match: %s\n\nspeed and strength: %s\n", s.Said, both)
}

// summary returns the judgement of both in Markdown of at most so many bytes, for the
// summary of a build; empty where not even the verdict fits.
func (s *Strength) summary(g Gate, c *Comparison, most int) string {
	head, match := fmt.Sprintf("## Benchmarks: %s\n\n", s.Joint(g)), s.text(s.Joint(g))
	which := ""
	if g.Bisect != nil { // what is longer than a line is cut nowhere
		which = "\nWhich commit:\n\n```sh\n" + strings.ReplaceAll(plain.Text(g.Bisect.String()), "`", "'") + "\n```\n"
	}
	room := most - len(head) - len(match) - len(which) - 1
	if room < 1000 {
		return ""
	}
	findings := g.Markdown(c, min(room/2, MostMarkdown))
	tables := *c
	tables.Warnings = nil // the gate told them
	return head + findings + match + "\n" + tables.Markdown(min(room-len(findings), MostMarkdown)) + which
}

// mostSummary is the most bytes of a step's summary that GitHub shows.
const mostSummary = 1 << 20

// Append appends the judgement of both in Markdown to a file, as much of it as GitHub
// shows behind what is there; full tells that there is no room for any of it.
func (s *Strength) Append(file string, g Gate, c *Comparison) (full bool, err error) {
	out, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return false, fmt.Errorf("summary: %w", err)
	}
	there, err := out.Stat()
	if err != nil {
		return false, errors.Join(err, out.Close())
	}
	text := s.summary(g, c, mostSummary-1-int(min(there.Size(), mostSummary)))
	_, err = io.WriteString(out, text)
	return text == "", errors.Join(err, out.Close())
}

// Report returns the gate's JSON, with the verdict on both.
func (s *Strength) Report(g Gate, c *Comparison) GateReport {
	r := g.Report(c)
	r.Verdict, r.Exit = s.Joint(g), s.Joint(g).Exit()
	if s != nil {
		r.Strength, r.Match = s.Said, s.Match
	}
	return r
}

// Keep writes the gate's JSON, gate.json, into a folder; none where that is "".
func (g Gate) Keep(folder string, c *Comparison) error {
	if folder == "" {
		return nil
	}
	text, err := json.Marshal(g.Report(c))
	return errors.Join(err, os.MkdirAll(folder, 0o755), WriteFile(filepath.Join(folder, "gate.json"), append(text, '\n')))
}

// WriteFile writes a file whole or, if it cannot, leaves what was there.
func WriteFile(path string, text []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Chmod(0o644), f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}
