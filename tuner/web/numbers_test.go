package web

import (
	"strings"
	"testing"
)

// The numbers of trials that alone are drawn are read from an address.
func TestNumbersOf(t *testing.T) {
	if all, err := numbersOf("3,1,200"); err != nil || len(all) != 3 || !all[200] || all[2] {
		t.Errorf("%v %v", all, err)
	}
	for _, text := range []string{"1,", "a", "-1", "1-3", strings.Repeat("1,", mostOnly) + "1"} {
		if all, err := numbersOf(text); err == nil {
			t.Errorf("%.20q is read as %d numbers", text, len(all))
		}
	}
}
