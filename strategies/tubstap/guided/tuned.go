package guided

// Tuned are the settings found by matches against M-UCT at equal simulations.
func Tuned() Settings {
	return Settings{
		Simulations: 200, Expansion: 2, C: 1, Temperature: 60,
		HalfTurns: 4, Candidates: 5, Attack: 100, Scale: 100, Flatness: 0,
	}
}
