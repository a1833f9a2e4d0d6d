package yamlfile

import (
	"fmt"
	"math"
	"strconv"

	"go.yaml.in/yaml/v3"

	"sakusen/engines/param"
)

// Error is a mistake in a file that people write.
type Error struct {
	File         string
	Line, Column int
	Field        string
	Want, Got    string
}

// Error reads "studies/x.yaml:7:12: tune.strategy: expected X, got Y".
func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s: expected %s, got %s", e.File, e.Line, e.Column, e.Field, e.Want, e.Got)
}

// Describe says what stands at a node, shortened.
func Describe(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	}
	if n.Tag == "!!null" {
		return "nothing"
	}
	if len(n.Value) > 60 {
		return n.Value[:60] + "..."
	}
	return n.Value
}

func span(low, high float64) string {
	g := func(x float64) string {
		if x == math.Trunc(x) && math.Abs(x) <= 1<<53 {
			return strconv.FormatFloat(x, 'f', -1, 64)
		}
		return strconv.FormatFloat(x, 'g', 12, 64)
	}
	switch {
	case low == -math.MaxFloat64 && high == math.MaxFloat64:
		return "that is finite"
	case low == math.SmallestNonzeroFloat64:
		return "above 0, up to " + g(high)
	case math.IsInf(high, 1) || high >= 1<<53:
		return "from " + g(low)
	case math.IsInf(low, -1):
		return "up to " + g(high)
	}
	return "in " + g(low) + ".." + g(high)
}

// Nearest adds the most similar of the known words to a text that is none of
// them: `"x" (did you mean y?)`.
func Nearest(word string, known []string) string {
	if near, ok := param.Nearest(word, known); ok {
		return fmt.Sprintf("%q (did you mean %s?)", word, near)
	}
	return fmt.Sprintf("%q", word)
}
