package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

func (a *app) analyseCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "analyse GAME",
		Short: "Answer questions about positions, JSON lines in and out",
		Args:  exactly(1, "one GAME (daifugo)"),
		RunE: func(_ *cobra.Command, args []string) error {
			return usage(fmt.Errorf("analyse: no positions of %q", args[0]))
		},
	}
	c.AddCommand(a.analyseDaifugoCommand())
	return c
}

// answerLines answers every line of standard input with one line, at once, so
// that a program may ask one question after another. Empty lines are passed
// over.
func (a *app) answerLines(ctx context.Context, answer func(line []byte) []byte) error {
	in := bufio.NewReaderSize(a.in, 1<<16)
	for ctx.Err() == nil {
		line, err := in.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 {
			if _, err := a.out.Write(append(answer(line), '\n')); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}
