package lines_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/base64"
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
	zipped := func(names ...string) []byte {
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		for _, name := range names {
			h := &zip.FileHeader{Name: name, Method: zip.Deflate}
			if strings.HasPrefix(name, "stored") { // with its sizes before it, as Info-ZIP writes
				h.Method, h.CRC32, h.CompressedSize64, h.UncompressedSize64 = zip.Store, 0, uint64(len(text)), uint64(len(text))
				f, _ := w.CreateRaw(h)
				f.Write([]byte(text))
			} else if f, _ := w.CreateHeader(h); !strings.HasSuffix(name, "/") {
				f.Write([]byte(text))
			}
		}
		w.Close()
		return b.Bytes()
	}
	bzipped, _ := base64.StdEncoding.DecodeString("QlpoOTFBWSZTWU5XE10AAAhf7IASUBEkAAACAIoCZBQAQAAAQIAECABAACAAMUGjRoMgNCmgGmgNGmgBArDTVDAhmWHuOR625B51FVS+LuSKcKEgnK4mug==")
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
		"bzip2":             bzipped,
		"zip":               zipped("a.epd"),
		"zip, stored":       zipped("stored.epd"),
		"zip, in a folder":  zipped("a/", "a/b.epd"),
		"UTF-16 in gzip":    packed(in16(binary.LittleEndian, true)),
		"UTF-16, odd":       append(in16(binary.LittleEndian, true), 'x'),
	} {
		if got, err := lines.Text(content); err != nil || got != text {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	// Lines may end with a carriage return alone, but not one before a line end.
	for _, c := range [][2]string{{"a\rb\r\rc", "a\nb\n\nc"}, {"a\r\r\nb\r\r\n", "a\r\r\nb\r\r\n"}} {
		if got, err := lines.Text([]byte(c[0])); err != nil || got != c[1] {
			t.Errorf("%q: %q, %v", c[0], got, err)
		}
	}
	// Of a file with lines in two encodings each is read as what it is.
	if got, err := lines.Text([]byte("M\xfcller \x80\x9f\x92\nMüller\n")); err != nil || got != "Müller €Ÿ’\nMüller\n" {
		t.Errorf("%q, %v", got, err)
	}
	whole := packed([]byte(text))
	if got, err := lines.Text(whole[:len(whole)-9]); err == nil || got != "[White \"Müller 😀\"]\r\n\r\n" && got != text {
		t.Errorf("a file that is cut off is read as %q, %v", got, err)
	}
	for name, content := range map[string][]byte{"an archive of more than one file": zipped("a.pgn", "b.pgn"), "packed by zstd": []byte("\x28\xb5\x2f\xfd\x24\x0dabc"), "packed by xz": []byte("\xfd7zXZ\x00\x00\x04"), "packed by 7-Zip": []byte("7z\xbc\xaf\x27\x1c\x00"), "unexpected EOF": zipped("a")[:60], "with a password": append([]byte("PK\x03\x04\x14\x00\x01\x00\x08\x00"), make([]byte, 40)...)} {
		if got, err := lines.Text(content); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
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
	l.Add(1, "field", "that", strings.Repeat("é", 1<<20))
	if n := len(l.Lines(l.Count())); l.Count() != 121 || n != 19 || len(l.Items[120].Got) > 210 || !strings.HasSuffix(l.Items[120].Got, "é...") {
		t.Errorf("%d, %d lines, %d bytes", l.Count(), n, len(l.Items[120].Got))
	}
	const want = "read (left out: 121)\n  x:1: field: expected that, got this\n  x:2: field: expected that, got this\n  x:3: field: expected that, got this\n" +
		"  x:4: field: expected that, got this\n  x:5: field: expected that, got this\n  x: and 116 more"
	if got := l.Summary("read"); got != want {
		t.Errorf("%s", got)
	}
}
