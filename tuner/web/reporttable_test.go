package web

import (
	"bytes"
	"testing"

	"sakusen/tuner/view"
)

// A report of several studies has thousands of cells, and mail programs want the style of each in
// its place: what a cell takes beside its text is little, so that pictures have room.
func TestReportCellsAreSmall(t *testing.T) {
	const rows, columns = 100, 9
	table := view.Section{Key: "answers", Columns: make([]view.Column, columns)}
	for range rows {
		table.Lines = append(table.Lines, view.Line{Label: "x", Cells: make([]view.Cell, columns-1)})
	}
	var empty, full bytes.Buffer
	if err := (&report{}).html(&empty); err != nil {
		t.Fatal(err)
	}
	if err := (&report{Compared: []view.Section{table}}).html(&full); err != nil {
		t.Fatal(err)
	}
	if each := (full.Len() - empty.Len()) / (rows * columns); each > 60 {
		t.Errorf("%d bytes a cell", each)
	}
}
