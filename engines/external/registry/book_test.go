//go:build unix

package registry

import (
	"context"
	"os"
	"strings"
	"testing"

	"sakusen/engines/chess"
	"sakusen/engines/external/uci/ucitest"
)

// madeBook is a book of the tests' engine, whose score is the material.
func madeBook(t *testing.T, change func(*Book)) (string, error) {
	t.Helper()
	s, err := Open([]Entry{{Name: "toy", Command: []string{os.Args[0]}, Environment: ucitest.As("", 0)}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	o := Book{Engine: "toy", Count: 30, Plies: 8, Low: 90, High: 110, Limit: chess.Limit{Nodes: 1}, Seed: 5, Workers: 1}
	change(&o)
	var b strings.Builder
	err = o.Write(context.Background(), &b, s, nil)
	return b.String(), err
}

// A book is the same for any number of workers, another with another seed, and can be
// read; its positions differ, and one side is ahead as asked for.
func TestBook(t *testing.T) {
	one, err := madeBook(t, func(*Book) {})
	if err != nil {
		t.Fatal(err)
	}
	if three, err := madeBook(t, func(o *Book) { o.Workers = 3 }); err != nil || three != one {
		t.Errorf("with three workers: %v\n%s\n%s", err, three, one)
	}
	if other, err := madeBook(t, func(o *Book) { o.Seed = 6 }); err != nil || other == one {
		t.Errorf("with another seed: %v", err)
	}
	book, err := chess.ParseBook(one)
	if err != nil || len(book) != 30 {
		t.Fatalf("%d, %v", len(book), err)
	}
	for line := range strings.Lines(one) {
		if !strings.HasSuffix(line, " ce 100;\n") && !strings.HasSuffix(line, " ce -100;\n") {
			t.Errorf("%q", line)
		}
	}
}

// What cannot be made says how many there are.
func TestTooFew(t *testing.T) {
	for want, change := range map[string]func(*Book){
		"fit, expected 2": func(o *Book) { o.Count, o.Low, o.High, o.Plies = 2, 5000, 5001, 1 },
		"--count":         func(o *Book) { o.Count = 0 },
		"--eval":          func(o *Book) { o.Low = 200 },
		"--limit":         func(o *Book) { o.Limit = chess.Limit{MoveTime: 5} },
	} {
		if _, err := madeBook(t, change); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}
