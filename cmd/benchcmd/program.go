// Package benchcmd has the commands that measure and judge benchmarks: run, compare, gate,
// bisect and comment. The programs sakusen and sakusen-bench have the same ones, which differ
// in where runs are kept: in a database, or in a folder of text files.
//
// Reading order: program.go (what surrounds a command, and its sources), compare.go, run.go,
// gate.go, comment.go, bisect.go, folder.go (runs as text files).
package benchcmd

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"sakusen/bench"
	"sakusen/bench/runner"
	"sakusen/cmd/cmdline"
)

// Program is the program that has the commands.
type Program struct {
	Name     string // how its commands are called, such as "sakusen bench"
	In       io.Reader
	Out, Err io.Writer
	Env      runner.Env
	JSON     *bool // whether to print one JSON document
	Say      func(format string, args ...any)
	Setting  func(name string) string // empty where there is none
	Kept     Kept
}

// Kept is where runs are kept.
type Kept interface {
	// Run returns the kept run that a SOURCE means.
	Run(ctx context.Context, source string) (*bench.Run, error)
	// Old returns it as the old side of a gate: with the values that were accepted later.
	Old(ctx context.Context, source string) (*bench.Run, error)
	// Before returns, as an old side, the baseline of a run among the complete runs of commits, from the
	// nearest to the farthest, on a machine class unless that is empty; nil where there is none.
	Before(ctx context.Context, of *bench.Run, commits []string, machine string) (*bench.Run, error)
	// Record keeps the sides of a measurement; branch is that of the head, "" for the one that
	// is checked out.
	Record(ctx context.Context, o runner.Options, d *runner.Decided, branch string) error
	// Fill keeps the measured commits of a range; read reads their text by a name for messages.
	Fill(ctx context.Context, o runner.Options, past []runner.Past, read func(text, name string) (*bench.Run, error)) error
	// Place says for people where runs are kept, such as "the database".
	Place() string
}

// called puts the program's name, and the place of its runs, into the help of a command.
func (p *Program) called(c *cobra.Command) *cobra.Command {
	r := strings.NewReplacer("sakusen bench", p.Name, "KEPT", p.Kept.Place())
	c.Long, c.Example = r.Replace(c.Long), r.Replace(c.Example)
	return c
}

// Source reads a SOURCE: a file, standard input, or a run that was kept.
func (p *Program) Source(ctx context.Context, source string) (*bench.Run, error) {
	if source == "-" {
		return Patient(ctx, func() (*bench.Run, error) { return bench.Read(p.In, "standard input", bench.ReadOptions{}) })
	}
	if IsRecorded(source) {
		return p.Kept.Run(ctx, source)
	}
	return Patient(ctx, func() (*bench.Run, error) {
		f, err := os.Open(source)
		if err != nil {
			return nil, fmt.Errorf("%w (expected a file, - or a recorded run, such as baseline:NAME or commit:HASH)", err)
		}
		defer f.Close()
		return bench.Read(f, source, bench.ReadOptions{})
	})
}

// Patient returns what a function reads that may wait for ever, such as for a pipe without a
// writer, or the error of the context once that ends. What cannot be read is the user's
// mistake.
func Patient[T any](ctx context.Context, read func() (T, error)) (T, error) {
	type answer struct {
		value T
		err   error
	}
	if err := ctx.Err(); err != nil {
		return *new(T), err
	}
	done := make(chan answer, 1)
	go func() {
		value, err := read()
		done <- answer{value, cmdline.Usage(err)}
	}()
	select {
	case a := <-done:
		return a.value, a.err
	case <-ctx.Done():
		return *new(T), ctx.Err()
	}
}

// measured reads text that was measured here. Its machine class is the one that is given, or
// else what the text or the settings say.
func (p *Program) measured(text, name, machine string) (*bench.Run, error) {
	return bench.Read(strings.NewReader(text), name, bench.ReadOptions{Machine: machine, Usual: p.Setting("bench.machine_class")})
}

// BaselineBranch returns the branch whose histories are kept, as the settings say, or else
// git in a folder.
func (p *Program) BaselineBranch(ctx context.Context, dir string) string {
	name := p.Setting("bench.baseline_branch")
	if name == "" {
		name = runner.Repo{Dir: dir}.DefaultBranch(ctx, p.Env)
	}
	return cmp.Or(name, "main")
}

// print prints a result, as one JSON document or as text for people.
func (p *Program) print(v any, text func(w io.Writer) error) error {
	if !*p.JSON {
		return text(p.Out)
	}
	return PrintJSON(p.Out, v)
}

// PrintJSON prints a value as one JSON document.
func PrintJSON(w io.Writer, v any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return fmt.Errorf("json: %w", err)
	}
	_, err := w.Write(b.Bytes())
	return err
}
