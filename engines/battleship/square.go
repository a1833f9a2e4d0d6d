package battleship

// MaxSide is the greatest width and height of a board, in squares.
const MaxSide = 16

// MaxSquares is the greatest number of squares of a board.
const MaxSquares = MaxSide * MaxSide

// A Square is a place on a board in board order, row by row: row * width +
// column, both from 0. Its name is the column's letter and the row's number
// from 1: on a board 10 wide, 0 is a1, 9 is j1 and 10 is a2.
type Square uint8
