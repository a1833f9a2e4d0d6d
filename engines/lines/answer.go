// Package lines reads what is typed or piped into the program, line by line and
// of bounded length, and answers it line by line.
//
//	line, long, err := lines.Read(bufio.NewReader(os.Stdin))
//
// It also reads what others have written, which keeps to no standard in all its parts:
//
//	left := &lines.LeftOut{File: "games.pgn"}
//	in, err := lines.Decoded(file)
//	for game := range lines.PGN(in, left, true) { ... }
//	fmt.Println(left.Summary("read"))
//
// Files in reading order: answer.go; foreign.go (encodings, what is left out), pgn.go.
package lines

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Most bounds a line of input, bytes.
const Most = 1 << 20

// Read reads a line without its end. A line longer than Most is read to
// its end and reported as long. The error is io.EOF after the last line.
func Read(in *bufio.Reader) (line []byte, long bool, err error) {
	for {
		part, more, err := in.ReadLine()
		if err != nil {
			return nil, false, err
		}
		if len(line)+len(part) > Most {
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

// Answer writes one answer line for each line of in, as soon as it is known; lines with
// nothing but blanks have none. It
// returns when the input ends, cannot be read any more, or the context does: an
// interrupted program must not wait for its input.
func Answer(ctx context.Context, in io.Reader, out io.Writer, answer func(line []byte) []byte) error {
	type reply struct {
		line []byte
		err  error
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	replies := make(chan reply)
	go func() {
		in := bufio.NewReaderSize(in, 64<<10)
		for number := 1; ; number++ {
			line, long, err := Read(in)
			if number == 1 {
				line = bytes.TrimPrefix(line, []byte("\ufeff")) // which some editors and shells put before UTF-8
			}
			if err == nil && !long && len(bytes.TrimSpace(line)) == 0 {
				continue
			}
			var r reply
			switch {
			case err != nil:
				r.err = err
			case long:
				r.line = errorLine(fmt.Errorf("line %d: longer than %d bytes", number, Most))
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
			return ctx.Err()
		case r := <-replies:
			if errors.Is(r.err, io.EOF) {
				return nil
			}
			if r.err != nil {
				return fmt.Errorf("standard input: %w", r.err)
			}
			if _, err := out.Write(append(r.line, '\n')); err != nil {
				return fmt.Errorf("standard output: %w", err)
			}
		}
	}
}

// Strictly answers lines as [Answer] does. Where it is strict, and answers were
// errors, a [Mistakes] is returned in the end.
func Strictly(ctx context.Context, in io.Reader, out io.Writer, strict bool, answer func(line []byte) []byte) error {
	var m Mistakes
	err := Answer(ctx, in, out, func(line []byte) []byte {
		said := answer(line)
		if m.Asked++; bytes.HasPrefix(said, []byte(`{"error":`)) {
			m.Wrong++
		}
		return said
	})
	if err == nil && strict && m.Wrong > 0 {
		return &m
	}
	return err
}

// Mistakes says how many lines were answered with an error.
type Mistakes struct{ Wrong, Asked int }

func (m *Mistakes) Error() string {
	return fmt.Sprintf("%d of %d lines have a mistake", m.Wrong, m.Asked)
}

// errorLine returns {"error": "..."}.
func errorLine(err error) []byte {
	text, _ := json.Marshal(map[string]string{"error": err.Error()}) // a string always has a form
	return text
}
