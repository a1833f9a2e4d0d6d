package catalogue

// Analyst answers positions of a game for other programs, a line of JSON for a
// line of JSON: `sakusen analyse GAME`.
type Analyst struct {
	Short string // what is answered, in a line
	Long  string // the forms of questions and answers
	// Line answers one line, with {"error": "..."} where it cannot. read reads a
	// file that a position names by its path.
	Line func(line []byte, read func(path string) ([]byte, error)) []byte
}
