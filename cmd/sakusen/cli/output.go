package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"sakusen/tuner"
	"sakusen/tuner/view"
)

// printJSON prints one JSON document on standard output.
func (a *app) printJSON(v any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return fmt.Errorf("json: %w", err)
	}
	_, err := a.out.Write(b.Bytes())
	return err
}

// print prints a result, as one JSON document or as text for people.
func (a *app) print(v any, text func(w io.Writer) error) error {
	if a.flags.asJSON {
		return a.printJSON(v)
	}
	return text(a.out)
}

// readFile reads a file, "-" for standard input.
func (a *app) readFile(name string) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(a.in)
	}
	return os.ReadFile(name)
}

// printResult prints a finished study and turns its verdict into the exit code.
func printResult(a *app, spec *tuner.Spec, r *tuner.Result) error {
	var err error
	if a.flags.asJSON {
		err = a.printJSON(r)
	} else {
		err = a.report(spec, r, view.Study)
	}
	if err != nil {
		return err
	}
	return verdict(r.Exit())
}

// report prints a finished study for people, in these sentences or in numbers.
func (a *app) report(spec *tuner.Spec, r *tuner.Result, sentences func(io.Writer, *tuner.Spec, *tuner.Result) error) error {
	if a.flags.technical {
		return view.Technical(a.out, spec, r)
	}
	return sentences(a.out, spec, r)
}
