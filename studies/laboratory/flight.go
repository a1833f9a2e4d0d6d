package laboratory

import "fmt"

// flightCells are hills on which a search that hears of a batch later may lose.
func flightCells() []Cell {
	var cells []Cell
	for _, games := range []int64{5_000, 20_000} {
		for _, n := range []int{4, 16} {
			cells = append(cells, Cell{Dimensions: n, Headroom: usualHeadroom, Games: games})
		}
	}
	return cells
}

// flightMethods are the default search with one, two and three batches out at a time.
func flightMethods() []Method {
	rows := []Method{Methods()[0]}
	for _, flight := range []int{2, 3} {
		rows = append(rows, Method{Name: "default, flight " + itoa(flight), file: func(c Cell, seed int) (string, bool) {
			return c.tunes() + "sampler: {seed: " + itoa(seed) + ", flight: " + itoa(flight) + "}\n" + budgetOfGames(c), true
		}})
	}
	return rows
}

// budgetOfGames returns the budget line of a study file that names its games alone.
func budgetOfGames(c Cell) string { return fmt.Sprintf("budget: {games: %d}\n", c.Games) }
