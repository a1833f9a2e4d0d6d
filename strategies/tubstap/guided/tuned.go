package guided

// Tuned are the settings found by matches against M-UCT at equal simulations.
// Their scores against muct(mode=corrected), 95 % intervals by blocks, draws
// half, seed 7:
//
//	simulations    200 (30 blocks)      2000 (12 blocks)
//	paper10a       0.95 [0.90, 1.00]    0.96 [0.90, 1.00]
//	paper12b       0.99 [0.98, 1.00]    0.98 [0.94, 1.00]
//	paper12a       1.00                 1.00
func Tuned() Settings {
	return Settings{
		Simulations: 200, Expansion: 2, C: 1, Temperature: 60,
		HalfTurns: 4, Candidates: 5, Attack: 100, Scale: 100, Flatness: 0,
	}
}
