package runner

import (
	"strings"
	"testing"
)

// Reports of perf stat -x, -o, as perf 6 writes them.
func TestParsePerf(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       float64
		err        string
	}{
		{"one kind of processor", "# started on Sat Nov 21 07:00:00 2026\n\n123456,,instructions:u,1000,100.00,1.50,insn per cycle\n", 123456, ""},
		{"two kinds", "100,,cpu_core/instructions/u,1,50.00,,\n<not counted>,,cpu_lowpower/instructions/u,0,0.00,,\n20,,cpu_atom/instructions/u,1,50.00,,\n", 120, ""},
		{"a virtual machine", "<not supported>,,instructions:u,0,100.00,,\n", 0, "expected a count of instructions, got <not supported>"},
		{"another event", "7,,cycles:u,1,100.00,,\n", 0, "got no count"},
		{"nothing", "", 0, "got no count"},
	} {
		got, err := parsePerf(c.text)
		if got != c.want || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: %g, %v", c.name, got, err)
		}
	}
}
