package export

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"go/format"
	"go/token"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"sakusen/engines/param"
	"sakusen/engines/plain"
)

// writeGo writes a Go file with one constant a parameter.
func writeGo(w io.Writer, d *Document) error {
	var b strings.Builder
	name := cmp.Or(d.Strategy, d.Study)
	pkg := identifier(name, false)
	if !token.IsIdentifier(pkg) {
		return fmt.Errorf("go: expected a study whose name gives a package name of ASCII letters and digits, a letter first, got %q of %q", pkg, name)
	}
	names, err := d.identifiers("go", func(name string) string { return identifier(name, true) })
	if err != nil {
		return err
	}
	b.WriteString(d.head("// ") + "\npackage " + pkg + "\n\nconst (\n")
	for i, v := range d.Values {
		text := v.Text
		if v.Kind == param.Choice {
			text = strconv.Quote(text)
		}
		fmt.Fprintf(&b, "\t%s = %s\n", names[i], text)
	}
	b.WriteString(")\n")
	text, err := format.Source([]byte(b.String()))
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	_, err = w.Write(text)
	return err
}

// identifier turns "place.kind" into PlaceKind, or placekind for a package.
func identifier(name string, exported bool) string {
	var b strings.Builder
	for _, part := range strings.FieldsFunc(name, func(r rune) bool { return !word(r) }) {
		if exported {
			part = strings.ToUpper(part[:1]) + part[1:]
		}
		b.WriteString(part)
	}
	return b.String()
}

// word tells a letter or a digit of an identifier; names of engines' options hold
// spaces and brackets.
func word(r rune) bool { return r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' }

// identifiers are the parameters' names in a form, or an error where one is no identifier
// or two are the same.
func (d *Document) identifiers(form string, of func(string) string) ([]string, error) {
	var all []string
	for _, v := range d.Values {
		id := of(v.Name)
		if !token.IsIdentifier(id) {
			return nil, fmt.Errorf("%s: expected parameters whose names give identifiers of ASCII letters and digits, a letter first, got %q of %q", form, id, v.Name)
		}
		if at := slices.Index(all, id); at >= 0 {
			return nil, fmt.Errorf("%s: expected parameters whose names give different identifiers, got %s of %q and of %q", form, id, d.Values[at].Name, v.Name)
		}
		all = append(all, id)
	}
	return all, nil
}

// inLines returns an error where a name or a value does not stay in its line.
func (d *Document) inLines(form string) error {
	for _, v := range d.Values {
		for _, text := range []string{v.Name, v.Text} {
			if strings.ContainsFunc(text, unicode.IsControl) {
				return fmt.Errorf("%s: parameter %q: expected a name and a value without control characters, got %q", form, v.Name, text)
			}
		}
	}
	return nil
}

// writeEnv writes shell assignments: place.kind becomes PLACE_KIND.
func writeEnv(w io.Writer, d *Document) error {
	names, err := d.identifiers("env", func(name string) string {
		return strings.ToUpper(strings.Join(strings.FieldsFunc(name, func(r rune) bool { return !word(r) && r != '_' }), "_"))
	})
	if err := errors.Join(err, d.inLines("env")); err != nil {
		return err
	}
	var b strings.Builder
	b.WriteString(d.head("# "))
	for i, v := range d.Values {
		fmt.Fprintf(&b, "%s='%s'\n", names[i], strings.ReplaceAll(v.Text, "'", `'\''`))
	}
	_, err = io.WriteString(w, b.String())
	return err
}

// writeCSV writes parameter, kind and value, one row each, after a header. Each row
// also has what was proved of all of them together: the verdict, the bounds in Elo
// and the attempt's alpha; they are empty where nothing was.
func writeCSV(w io.Writer, d *Document) error {
	c := csv.NewWriter(w)
	if err := c.Write([]string{"parameter", "kind", "value", "verdict", "gain_elo_low", "gain_elo_high", "alpha"}); err != nil {
		return err
	}
	proved := []string{"", "", "", ""}
	if d.Validation != nil {
		proved[0] = d.Validation.Verdict
	}
	if b := d.Bounds; b != nil {
		for i, x := range []float64{b.GainElo[0], b.GainElo[1], b.Alpha} {
			proved[i+1] = strconv.FormatFloat(x, 'g', -1, 64)
		}
	}
	for _, v := range d.Values {
		if err := c.Write(append([]string{plain.Cell(v.Name), v.Kind.String(), plain.Cell(v.Text)}, proved...)); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}

// writeUCI writes the lines that set an engine's options, after a head of lines that
// engines pass over.
func writeUCI(w io.Writer, d *Document) error {
	if err := d.inLines("uci"); err != nil {
		return err
	}
	var b strings.Builder
	b.WriteString(d.head("# "))
	for _, v := range d.Values {
		fmt.Fprintf(&b, "setoption name %s value %s\n", v.Name, v.Text)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
