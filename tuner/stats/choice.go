package stats

// choice is one place won from a field of players that includes the winner.
type choice struct {
	winner int
	field  []int
	weight float64
}

// fit is the likelihood of Luce's choice model for a set of choices: the winner
// is drawn with chance strength/(sum of strengths in the field).
type fit struct {
	n       int
	choices []choice
}

func newFit(n int) *fit { return &fit{n: n} }

func (f *fit) add(c choice) { f.choices = append(f.choices, c) }
