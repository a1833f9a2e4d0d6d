package service

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// where is how a mistake names a told block.
func (b *ToldBlock) where(i int) string {
	if b.Line > 0 {
		return fmt.Sprintf("line %d", b.Line)
	}
	return fmt.Sprintf("results[%d]", i)
}

// ParseTold reads what is told, a JSON document a line; empty lines do not count.
func ParseTold(text []byte) ([]ToldBlock, error) {
	var out []ToldBlock
	var bad []string
	for i, line := range strings.Split(string(text), "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		var b ToldBlock
		d := json.NewDecoder(strings.NewReader(line))
		d.DisallowUnknownFields()
		err := d.Decode(&b)
		if err == nil && d.More() {
			err = errors.New("expected one document a line")
		}
		if err != nil {
			bad = append(bad, fmt.Sprintf("line %d: expected {\"ask\": ..., \"block\": ..., \"params\": [...], \"games\": [...]}: %.200s", i+1, err))
			continue
		}
		b.Line = i + 1
		out = append(out, b)
	}
	if len(bad) > 0 {
		return nil, New(Invalid, "what was told has mistakes, so nothing of it is kept", bad...)
	}
	return out, nil
}
