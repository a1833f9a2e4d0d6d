// Package tables is the paper's Tables 1 to 6 as data, and their re-run: every
// cell as printed, as expected by the counting rules, and as measured; then
// the cells the paper could not compute, and sizes beyond it.
//
// Place in the flow: studies/daifugo shows its Rows as experiments.
//
//	cells, err := tables.Cells()
//	rows, err := cells[0].Rows()
//	fmt.Println(rows[0].Label, rows[0].Printed, rows[0].Measured, rows[0].Agrees, rows[0].Note)
//
// Source: Goto, Inui, Kotani, "Game Tree Search for Ranking in Multiplayer
// Games", appendix; the data are in cells.tsv.
package tables
