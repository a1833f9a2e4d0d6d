package play

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
)

// FuzzRecord: what is read is written alike, and what is not is told with its
// place.
func FuzzRecord(f *testing.F) {
	f.Add([]byte("sakusen game 1\ngame battleship\nseed 7\nrules width=8\nentrant me\nentrant EX\nline random\nline e5\n"))
	f.Add([]byte("sakusen game 1\ngame battleship\ngame battleship\n"))
	f.Add([]byte("sakusen game 2\n"))
	f.Add([]byte("sakusen game 1\nfrob\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := readRecord("game.txt", text)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "game.txt:") {
				t.Fatalf("the error does not tell the file: %v", err)
			}
			return
		}
		written := r.text()
		back, err := readRecord("game.txt", written)
		if err != nil || !reflect.DeepEqual(r, back) || !bytes.Equal(back.text(), written) {
			t.Fatalf("%q reads as %+v, written and read again as %+v, %v", text, r, back, err)
		}
	})
}
