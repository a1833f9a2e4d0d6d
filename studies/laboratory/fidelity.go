package laboratory

import "fmt"

// FidelityCells are hills whose games at less than full effort have the same top, one nearby,
// one on the other side of the default parameters, and one that is anywhere.
func FidelityCells() []Cell {
	var cells []Cell
	for _, games := range []int64{5_000, 20_000} {
		for _, top := range []string{"same", "shifted", "mirrored", "other"} {
			cells = append(cells, Cell{Dimensions: 16, Headroom: 60, Games: games, Landscape: "cheap top " + top, Rules: []string{"effort_top", top}})
		}
	}
	return cells
}

// FidelityMethods are the default search alone, and with a first part of cheap games.
func FidelityMethods() []Method {
	rows := []Method{Methods()[0]}
	for _, effort := range []int{25, 10} {
		rows = append(rows, Method{Name: fmt.Sprintf("default, cheap games of %d %%", effort), file: func(c Cell, seed int) (string, bool) {
			return c.tunes() + fmt.Sprintf("sampler: {seed: %d}\nfidelity: {rule: effort, cheap: %d, dear: 100}\n", seed, effort) + budgetOfGames(c), true
		}})
	}
	return rows
}

// budgetOfGames is the default's budget line.
func budgetOfGames(c Cell) string { return fmt.Sprintf("budget: {games: %d}\n", c.Games) }
