package changepoint

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// ReadNumbers reads a list of numbers, separated by white space or commas, also
// one in the brackets of JSON. name is the input's, for errors.
func ReadNumbers(in io.Reader, name string) ([]float64, error) {
	var x []float64
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 16<<20)
	for number := 1; lines.Scan(); number++ {
		for field := range strings.FieldsFuncSeq(lines.Text(), func(r rune) bool {
			return r == ',' || r == ' ' || r == '\t' || r == '\r' || r == '[' || r == ']'
		}) {
			v, err := strconv.ParseFloat(field, 64)
			if err != nil || v-v != 0 {
				return nil, fmt.Errorf("%s:%d: expected a finite number, got %.40q", name, number, field)
			}
			x = append(x, v)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return x, nil
}
