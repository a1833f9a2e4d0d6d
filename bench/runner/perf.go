package runner

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// perf counts by perf stat, whose report goes to a file.
type perf struct{ file string }

// count runs a binary and returns the instructions it took in user mode, in all
// threads.
func (p perf) count(ctx context.Context, b *binary, args ...string) (float64, error) {
	args = append([]string{"stat", "-x", ",", "-e", "instructions:u", "-o", p.file, "--", b.path}, args...)
	if _, err := output(ctx, b.dir, "perf", args...); err != nil {
		why, _, _ := strings.Cut(err.Error(), "\n") // its advice is long
		return 0, errors.New(why)
	}
	text, err := os.ReadFile(p.file)
	if err != nil {
		return 0, err
	}
	return parsePerf(string(text))
}

// parsePerf adds up the counts in a report of perf stat -x: processors of two
// kinds have a line each.
func parsePerf(text string) (float64, error) {
	reader := csv.NewReader(strings.NewReader(text))
	reader.FieldsPerRecord, reader.Comment, reader.LazyQuotes = -1, '#', true
	lines, err := reader.ReadAll()
	if err != nil {
		return 0, fmt.Errorf("perf stat: %w", err)
	}
	sum, found, why := 0.0, false, "no count"
	for _, line := range lines {
		if len(line) < 3 || !strings.Contains(line[2], "instructions") {
			continue
		}
		if v, err := strconv.ParseFloat(line[0], 64); err == nil {
			sum, found = sum+v, true
		} else {
			why = line[0]
		}
	}
	if !found {
		return 0, fmt.Errorf("perf stat: expected a count of instructions, got %s", why)
	}
	return sum, nil
}
