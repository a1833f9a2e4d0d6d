package laboratory

// FlightCells are hills on which a search that hears of a batch later may lose.
func FlightCells() []Cell {
	var cells []Cell
	for _, games := range []int64{5_000, 20_000} {
		for _, n := range []int{4, 16} {
			cells = append(cells, Cell{Dimensions: n, Headroom: usualHeadroom, Games: games})
		}
	}
	return cells
}

// FlightMethods are the default search with one and with two batches out at a time.
func FlightMethods() []Method {
	return []Method{Methods()[0], {Name: "default, flight 2", file: func(c Cell, seed int) (string, bool) {
		return c.tunes() + "sampler: {seed: " + itoa(seed) + ", flight: 2}\n" + budgetOfGames(c), true
	}}}
}
