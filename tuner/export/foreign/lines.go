package foreign

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"sakusen/engines/param"
)

// readLines reads lines of OpenBench, "name, int, value, min, max, c_end, r_end", or of
// fishtest, "name,value,min,max,c_end,r_end". Empty lines and those that begin with #
// do not count.
func readLines(m *mistakes, text string) *File {
	f := &File{Format: OpenBench, Started: true}
	for i, line := range strings.Split(strings.TrimPrefix(text, "\uFEFF"), "\n") {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(strings.TrimSuffix(line, ","), ",")
		for j := range cells {
			cells[j] = strings.TrimSpace(cells[j])
		}
		kind := "int"
		switch {
		case len(cells) == 7:
			if kind = cells[1]; kind != "int" && kind != "float" {
				m.add(i+1, "type", "int or float", fmt.Sprintf("%.40q", kind))
				continue
			}
			cells = append(cells[:1], cells[2:]...)
		case len(cells) == 6:
			f.Format = Fishtest
		default:
			m.add(i+1, "line", "name, int or float, value, min, max, c_end, r_end (OpenBench), or the same without a type (fishtest)", fmt.Sprintf("%d fields", len(cells)))
			continue
		}
		before := len(m.all) + m.more
		var x [5]float64
		for j, field := range []string{"value", "min", "max", "c_end", "r_end"} {
			x[j] = cell(m, i+1, field, cells[j+1])
		}
		if len(m.all)+m.more > before {
			continue
		}
		value := x[0]
		if kind == "int" {
			value = math.Round(value) // where another tune has left off
		}
		if x[1] < x[2] && (value < x[1] || value > x[2]) {
			m.add(i+1, "value", fmt.Sprintf("a number from %s to %s", number(x[1]), number(x[2])), number(value))
			continue
		}
		f.take(m, i+1, param.Declared{Name: cells[0], Kind: kind, Default: param.Text(number(value)), Low: x[1], High: x[2]})
	}
	return f
}

// cell reads a finite number.
func cell(m *mistakes, line int, field, text string) float64 {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(x, 0) || math.IsNaN(x) || math.Abs(x) > 1e15 {
		m.add(line, field, "a number", fmt.Sprintf("%.40q", text))
	}
	return x
}

// number writes a number without an exponent where it is short.
func number(x float64) string {
	if math.Abs(x) >= 1e-6 || x == 0 {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}
