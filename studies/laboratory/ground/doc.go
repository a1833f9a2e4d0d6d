// Package ground draws games whose best player is known: from a kind and a seed a landscape over
// numbers and choices, who plays at the table, and chance. Every draw of a kind is another
// game, so that a search can be chosen on some of them and judged on others.
//
//	land := ground.New("ridge", 7)
//	land.Elo(land.Top())       // the height of the top above the baseline
//
// A landscape is a sum of terms. A term is what is lost of the height at some distance from
// the top: none at the top, more than none anywhere else, and its share of the whole height at
// the baseline. So the top is the highest place whatever was drawn. The strength against the
// baseline grows with the height in every game that is drawn, and the height of the top is
// solved for the Elo that it shall have.
//
// A kind is a row of a table: how many numbers on which scales, the forms of the terms, the
// choices, the table. One mechanism makes a landscape of any row.
//
// Files in reading order: kinds.go (the table), land.go (a landscape, its top and its truth), forms.go
// (what is lost), draw.go (how a landscape is drawn), game.go (how it is played).
package ground
