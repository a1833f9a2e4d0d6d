package tubstap

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// generateForm is how a generated map is named in one text. The canonical text
// has no blanks; size is one number for a square or WIDTHxHEIGHT, playable
// cells without the border; the rest of the design is Declare's defaults.
const generateForm = "generate(seed, size, units)"

func isGenerate(name string) bool { return strings.HasPrefix(name, "generate(") }

func isMapText(name string) bool { return strings.Contains(name, "SIZEX[") }

// flatMap is a map's text on one line, without author and comment.
func flatMap(data []byte) (string, error) {
	m, _, err := ParseMap(data)
	if err != nil {
		return "", fmt.Errorf("the text of a map (%w)", err)
	}
	m.Author, m.Comment = "", ""
	return strings.ReplaceAll(string(m.AppendText(nil)), "\n", ""), nil
}

// parseGenerate reads generate(seed, size, units). The error reads after
// "expected".
func parseGenerate(name string) (Design, error) {
	d := DefaultDesign()
	inside, ok := strings.CutSuffix(strings.TrimPrefix(name, "generate("), ")")
	parts := strings.Split(inside, ",")
	if !ok || len(parts) != 3 {
		return d, errors.New(generateForm)
	}
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	width, height, oblong := strings.Cut(parts[1], "x")
	if !oblong {
		height = width
	}
	for _, f := range []struct {
		at        *int
		text      string
		low, high int
		what      string
	}{
		{&d.Seed, parts[0], 0, maxSeed, "a seed"},
		{&d.Width, width, minSide, maxSide, "a size (one number, or WIDTHxHEIGHT)"},
		{&d.Height, height, minSide, maxSide, "a size (one number, or WIDTHxHEIGHT)"},
		{&d.Units, parts[2], 1, maxArmy, "units"},
	} {
		n, err := strconv.Atoi(f.text)
		if err != nil || n < f.low || n > f.high {
			return d, fmt.Errorf("%s with %s of %d to %d", generateForm, f.what, f.low, f.high)
		}
		*f.at = n
	}
	if _, err := d.Map(); err != nil {
		return d, fmt.Errorf("%s of a map that there is (%w)", generateForm, err)
	}
	return d, nil
}

// generate is the canonical text of the design's seed, size and units.
func (d *Design) generate() string {
	size := strconv.Itoa(d.Width)
	if d.Height != d.Width {
		size += "x" + strconv.Itoa(d.Height)
	}
	return fmt.Sprintf("generate(%d,%s,%d)", d.Seed, size, d.Units)
}
