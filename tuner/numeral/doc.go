// Package numeral writes numbers for people, and tells numbers from values that
// are none. The terminal, the pages and the notes of a study's result all use
// it, so that the same estimate reads the same everywhere; JSON carries numbers
// with all their digits and uses only [Finite].
//
// A number whose error is known is rounded by one rule: the error keeps two
// significant digits, and the number ends at the same decimal place (Guide to
// the Expression of Uncertainty in Measurement, JCGM 100:2008, 7.2.6). What is
// printed as the error is the half-width of the 95 % interval unless the text
// around it says otherwise.
//
//	value, half := numeral.Pair(41.237, 3.2)  // "41.2", "3.2"
//	numeral.Text(0.592814)                    // "0.5928": no error is known
package numeral
