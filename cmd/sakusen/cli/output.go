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

// show prints a result, as JSON or as text.
func (a *app) show(v any, sections ...view.Section) error {
	return a.print(v, func(w io.Writer) error { return view.Text(w, sections...) })
}

// printResult prints a finished study and turns its verdict into the exit code.
func (a studyCommands) printResult(spec *tuner.Spec, r *tuner.Result) error {
	if err := a.show(r, view.Without(a.result(spec, r), "games")...); err != nil {
		return err
	}
	return verdict(r.Exit())
}

// result returns a finished study in sentences, or in numbers.
func (a studyCommands) result(spec *tuner.Spec, r *tuner.Result) []view.Section {
	if a.flags.technical && !a.flags.asJSON {
		return view.Numbers(spec, r)
	}
	return view.Study(spec, r)
}
