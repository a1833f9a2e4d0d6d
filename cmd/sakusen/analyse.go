package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"sakusen/engines/param"
	battleship "sakusen/strategies/battleship/analyse"
	daifugo "sakusen/strategies/daifugo/analyse"
	tubstap "sakusen/strategies/tubstap/analysis"
)

// analyst answers positions of one game.
type analyst struct {
	game string
	doc  string // what is asked, and what is answered
	// line answers one position, a line of JSON without its newline, with one
	// line of JSON; what is no position is answered with {"error": "..."}.
	line func(position []byte) []byte
}

// analysts are the games whose positions can be analysed.
func analysts() []analyst {
	return []analyst{
		{"battleship", `{"size","fleet","shots"} -> {"placements","squares","best"}: placements of the fleet that agree with the answers`, battleship.Line},
		{"daifugo", `{"hands","table","last","turn","out","ranks"} -> {"ranks","best","nodes"}: possible ranks of every player`, daifugo.Line},
		{"tubstap", `{"map","units",...,"muct"?} -> {"u","log10est","best","root"?...}: legal actions, the one-ply choice, M-UCT's tree`,
			func(line []byte) []byte { return tubstap.Line(line, readMap) }},
	}
}

// maxLine bounds a line of input, bytes.
const maxLine = 1 << 20

// analyseCommand answers positions.
func (a *app) analyseCommand() *cobra.Command {
	var games strings.Builder
	for _, g := range analysts() {
		fmt.Fprintf(&games, "  %-11s %s\n", g.game, g.doc)
	}
	return &cobra.Command{
		Use:   "analyse GAME",
		Short: "Answers positions: JSON lines in, one answer line each out",
		Long: `Reads positions as JSON lines from standard input and writes one answer line
each, at once. A line that cannot be answered is answered with {"error": "..."},
and the stream goes on; the exit code is 0 when every line got an answer.

` + games.String(),
		Args: exactly(1, "one GAME"),
		RunE: func(c *cobra.Command, args []string) error {
			g, err := findAnalyst(args[0])
			if err != nil {
				return usage(err)
			}
			return a.answerLines(c.Context(), g.line)
		},
	}
}

// findAnalyst finds the analyst of a game.
func findAnalyst(game string) (analyst, error) {
	var names []string
	for _, g := range analysts() {
		if g.game == game {
			return g, nil
		}
		names = append(names, g.game)
	}
	if near, ok := param.Nearest(game, names); ok {
		return analyst{}, fmt.Errorf("no analysis of %q (did you mean %s?)", game, near)
	}
	return analyst{}, fmt.Errorf("no analysis of %q (expected one of %s)", game, strings.Join(names, ", "))
}

// answerLines writes one answer line for each line of standard input, as soon
// as it is known. It returns when the input ends, cannot be read any more, or
// the context does: an interrupted program must not wait for its input.
func (a *app) answerLines(ctx context.Context, answer func(line []byte) []byte) error {
	type reply struct {
		line []byte
		err  error
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	replies := make(chan reply)
	go func() {
		in := bufio.NewReaderSize(a.in, 64<<10)
		for number := 1; ; number++ {
			line, long, err := readLine(in)
			var r reply
			switch {
			case err != nil:
				r.err = err
			case long:
				r.line = errorLine(fmt.Errorf("line %d: longer than %d bytes", number, maxLine))
			default:
				r.line = answer(line)
			}
			select {
			case replies <- r:
			case <-ctx.Done():
				return
			}
			if err != nil {
				return
			}
		}
	}()
	for {
		select {
		case <-ctx.Done():
			return &coded{exitInterrupted, errors.New("interrupted")}
		case r := <-replies:
			if errors.Is(r.err, io.EOF) {
				return nil
			}
			if r.err != nil {
				return fmt.Errorf("standard input: %w", r.err)
			}
			if _, err := a.out.Write(append(r.line, '\n')); err != nil {
				return fmt.Errorf("standard output: %w", err)
			}
		}
	}
}

// readLine reads a line without its end. A line longer than maxLine is read to
// its end and reported as long. The error is io.EOF after the last line.
func readLine(in *bufio.Reader) (line []byte, long bool, err error) {
	for {
		part, more, err := in.ReadLine()
		if err != nil {
			return nil, false, err
		}
		if len(line)+len(part) > maxLine {
			long, line = true, nil
		}
		if !long {
			line = append(line, part...)
		}
		if !more {
			return line, long, nil
		}
	}
}

// errorLine is {"error": "..."}.
func errorLine(err error) []byte {
	text, _ := json.Marshal(map[string]string{"error": err.Error()}) // a string always has a form
	return text
}
