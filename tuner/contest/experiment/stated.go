package experiment

import "sakusen/tuner/stats"

// Stated compares a row with a statement of a paper's text: that the value lies above
// (side 1) or below (side -1) a bound. The row agrees, or does not, if its interval i is
// entirely on one side; else it is undecided.
func Stated(row Row, printed string, i stats.Interval, bound, side float64) Row {
	row.Printed = Text(printed)
	if !i.Defined() {
		return row
	}
	agrees := side*i.Lo.Value > side*bound && side*i.Hi.Value > side*bound
	differs := side*i.Lo.Value < side*bound && side*i.Hi.Value < side*bound
	if agrees || differs {
		row.Agrees = &agrees
	}
	return row
}
