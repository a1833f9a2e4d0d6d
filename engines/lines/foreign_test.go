package lines_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf16"

	"sakusen/engines/lines"
)

// A text is the same whatever its encoding.
func TestText(t *testing.T) {
	const text = "[White \"Müller 😀\"]\r\n\n1. e4 *\n"
	packed := func(content []byte) []byte {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		w.Write(content)
		w.Close()
		return b.Bytes()
	}
	in16 := func(order binary.AppendByteOrder, mark bool) []byte {
		var out []byte
		if mark {
			out = order.AppendUint16(out, 0xfeff)
		}
		for _, u := range utf16.Encode([]rune(text)) {
			out = order.AppendUint16(out, u)
		}
		return out
	}
	for name, content := range map[string][]byte{
		"UTF-8":             []byte(text),
		"with a mark":       []byte("\ufeff" + text),
		"gzip":              packed([]byte(text)),
		"two of gzip":       append(packed([]byte(text[:9])), packed([]byte(text[9:]))...),
		"UTF-16":            in16(binary.LittleEndian, true),
		"UTF-16, big":       in16(binary.BigEndian, true),
		"UTF-16, no mark":   in16(binary.LittleEndian, false),
		"UTF-16, big, none": in16(binary.BigEndian, false),
		"UTF-16 in gzip":    packed(in16(binary.LittleEndian, true)),
		"UTF-16, odd":       append(in16(binary.LittleEndian, true), 'x'),
	} {
		if got, err := lines.Text(content); err != nil || got != text {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	// Of a file with lines in two encodings each is read as what it is.
	if got, err := lines.Text([]byte("M\xfcller\nMüller\n")); err != nil || got != "Müller\nMüller\n" {
		t.Errorf("%q, %v", got, err)
	}
	whole := packed([]byte(text))
	if _, err := lines.Text(whole[:len(whole)-9]); err == nil {
		t.Error("a file that is cut off is a text")
	}
	for _, short := range []string{"", "x", "\xff\xfe", "\x1f"} {
		if _, err := lines.Text([]byte(short)); err != nil {
			t.Errorf("%q: %v", short, err)
		}
	}
	if _, err := lines.Text(packed(make([]byte, 65<<20))); err == nil || !strings.Contains(err.Error(), "at most 67108864 bytes") {
		t.Errorf("a text that is too long: %v", err)
	}
}

// What is left out is told with its place, and bounded.
func TestLeftOut(t *testing.T) {
	l := &lines.LeftOut{File: "x"}
	if l.Summary("read") != "" || l.Err() != nil || l.Count() != 0 {
		t.Error("nothing was left out")
	}
	for i := range 120 {
		l.Add(i+1, "field", "that", "this")
	}
	if l.Count() != 120 || len(l.Items) != 50 {
		t.Errorf("%d, %d", l.Count(), len(l.Items))
	}
	const want = "read (left out: 120)\n  x:1: field: expected that, got this\n  x:2: field: expected that, got this\n  x:3: field: expected that, got this\n" +
		"  x:4: field: expected that, got this\n  x:5: field: expected that, got this\n  x: and 115 more"
	if got := l.Summary("read"); got != want {
		t.Errorf("%s", got)
	}
}
