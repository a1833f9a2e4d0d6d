// Package tables is the paper's Tables 1 to 6 as data, and their re-run: every
// cell as printed, as expected by the counting rules, and as measured; then
// the cells the paper could not compute, and sizes beyond it.
//
// Place in the flow: the experiments show its Rows; the tests of ranking and
// positions take their cells from here.
//
//	cells, _ := tables.Cells()
//	for _, row := range tables.Rows(cells) {
//		fmt.Println(row.Label, row.Printed, row.Measured, row.Agrees, row.Note)
//	}
//
// Source: Goto, Inui, Kotani, "Game Tree Search for Ranking in Multiplayer
// Games", appendix; the data are in cells.tsv.
package tables
