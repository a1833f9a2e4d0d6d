package store

import (
	"errors"
	"testing"
)

// Every row comes once, with no query more than pages need.
func TestPaged(t *testing.T) {
	for _, rows := range []int{0, 1, pageRows - 1, pageRows, pageRows + 1, 3 * pageRows} {
		queries := 0
		next := 1
		for row, err := range paged(func(last, n, limit int) ([]int, error) {
			queries++
			if last != n {
				t.Errorf("behind row %d after %d rows", last, n)
			}
			var page []int
			for i := n + 1; i <= rows && len(page) < limit; i++ {
				page = append(page, i)
			}
			return page, nil
		}) {
			if err != nil || row != next {
				t.Fatalf("row %d, %v, want %d", row, err, next)
			}
			next++
		}
		if next != rows+1 || queries != rows/pageRows+1 {
			t.Errorf("%d rows: %d came in %d queries", rows, next-1, queries)
		}
	}
}

// An error ends the rows, and a reader that stops reads no further page.
func TestPagedEnds(t *testing.T) {
	broken := errors.New("the disk is gone")
	seen := 0
	for _, err := range paged(func(_, n, limit int) ([]int, error) {
		if n > 0 {
			return nil, broken
		}
		return make([]int, limit), nil
	}) {
		if seen++; seen > pageRows && err != broken {
			t.Errorf("row %d: %v", seen, err)
		}
	}
	if seen != pageRows+1 {
		t.Errorf("%d rows and errors, want %d", seen, pageRows+1)
	}
	queries := 0
	for range paged(func(_, _, limit int) ([]int, error) { queries++; return make([]int, limit), nil }) {
		break
	}
	if queries != 1 {
		t.Errorf("%d queries for one row", queries)
	}
}
