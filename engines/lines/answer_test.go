package lines_test

import (
	"bytes"
	"strings"
	"testing"

	"sakusen/engines/lines"
)

// Lines without content have no answer, and the others theirs.
func TestAnswerSkipsEmptyLines(t *testing.T) {
	var out bytes.Buffer
	in := strings.NewReader("\ufeff\n{1}\n\n \t\r\n\r\n{2}\r\n\n{3}")
	err := lines.Answer(t.Context(), in, &out, func(line []byte) []byte {
		return append([]byte("got "), bytes.TrimSpace(line)...)
	})
	if err != nil || out.String() != "got {1}\ngot {2}\ngot {3}\n" {
		t.Errorf("%q, %v", out.String(), err)
	}
}
