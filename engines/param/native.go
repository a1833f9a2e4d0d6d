package param

import (
	"encoding/json"
	"strconv"
)

// Native is a canonical text as JSON has it: a number, a bool, or a string. A number
// that others may not hold exactly, one beyond 2^53, and one that JSON cannot write
// stay texts.
func (k Kind) Native(text string) any {
	switch k {
	case Bool:
		if on, err := strconv.ParseBool(text); err == nil {
			return on
		}
	case Int:
		if n, err := strconv.ParseInt(text, 10, 64); err == nil && n >= -exact && n <= exact {
			return n
		}
	case Float:
		if x, err := strconv.ParseFloat(text, 64); err == nil && json.Valid([]byte(text)) {
			return x
		}
	}
	return text
}

// Natives are values by name as JSON has them, by the kinds that a space declares; a
// value that it does not declare is a text.
func Natives(values Values, space []Param) map[string]any {
	out := make(map[string]any, len(values))
	for _, v := range values {
		out[v.Name] = v.Text
		for i := range space {
			if space[i].Name == v.Name {
				out[v.Name] = space[i].Kind.Native(v.Text)
			}
		}
	}
	return out
}
