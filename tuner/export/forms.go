package export

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"go/format"
	"io"
	"strconv"
	"strings"

	"sakusen/engines/param"
	"sakusen/engines/plain"
)

// writeGo writes a Go file with one constant a parameter.
func writeGo(w io.Writer, d *Document) error {
	var b strings.Builder
	for _, line := range d.provenance() {
		b.WriteString("// " + line + "\n")
	}
	b.WriteString("\npackage " + identifier(cmp.Or(d.Strategy, d.Study), false) + "\n\nconst (\n")
	for _, v := range d.Values {
		text := v.Text
		if v.Kind == param.Choice {
			text = strconv.Quote(text)
		}
		fmt.Fprintf(&b, "\t%s = %s\n", identifier(v.Name, true), text)
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

// writeEnv writes shell assignments: place.kind becomes PLACE_KIND.
func writeEnv(w io.Writer, d *Document) error {
	for _, line := range d.provenance() {
		if _, err := fmt.Fprintln(w, "# "+line); err != nil {
			return err
		}
	}
	for _, v := range d.Values {
		name := strings.ToUpper(strings.Join(strings.FieldsFunc(v.Name, func(r rune) bool { return !word(r) && r != '_' }), "_"))
		if _, err := fmt.Fprintf(w, "%s='%s'\n", name, strings.ReplaceAll(v.Text, "'", `'\''`)); err != nil {
			return err
		}
	}
	return nil
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
	for _, line := range d.provenance() {
		if _, err := fmt.Fprintln(w, "# "+line); err != nil {
			return err
		}
	}
	for _, v := range d.Values {
		if _, err := fmt.Fprintf(w, "setoption name %s value %s\n", v.Name, v.Text); err != nil {
			return err
		}
	}
	return nil
}
