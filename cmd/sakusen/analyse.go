package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"sakusen/cmd/sakusen/lines"
	"sakusen/engines/arena/catalogue"
)

// analyseCommand answers positions of one game.
func analyseCommand(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "analyse GAME",
		Short: "Answers positions: JSON lines in, one answer line each out",
		Long: `Reads positions as JSON lines from standard input and writes one answer line
each, at once. A line that cannot be answered is answered with {"error": "..."},
and the stream goes on; the exit code is 0 when every line got an answer.`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage(fmt.Errorf("expected a GAME (%s), got 0 arguments", strings.Join(subcommands(c), ", ")))
			}
			return unknownCommand(c, args)
		},
		RunE: func(*cobra.Command, []string) error { return nil }, // never without a game
	}
	for i := range a.games {
		if a.games[i].Analyst != nil {
			c.AddCommand(analyseGameCommand(a, a.games[i].Name, a.games[i].Analyst))
		}
	}
	return c
}

// analyseGameCommand answers positions of one game as its analyst does.
func analyseGameCommand(a *app, game string, by *catalogue.Analyst) *cobra.Command {
	return &cobra.Command{
		Use:   game,
		Short: by.Short,
		Long:  by.Long,
		Args:  noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			return answerLines(a, c.Context(), func(line []byte) []byte { return by.Line(line, os.ReadFile) })
		},
	}
}

// answerLines writes one answer line for each line of standard input, as soon
// as it is known. It returns when the input ends, cannot be read any more, or
// the context does: an interrupted program must not wait for its input.
func answerLines(a *app, ctx context.Context, answer func(line []byte) []byte) error {
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
			line, long, err := lines.Read(in)
			if number == 1 {
				line = bytes.TrimPrefix(line, []byte("\ufeff")) // which some editors and shells put before UTF-8
			}
			var r reply
			switch {
			case err != nil:
				r.err = err
			case long:
				r.line = errorLine(fmt.Errorf("line %d: longer than %d bytes", number, lines.Most))
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

// errorLine is {"error": "..."}.
func errorLine(err error) []byte {
	text, _ := json.Marshal(map[string]string{"error": err.Error()}) // a string always has a form
	return text
}
