package tuner

// SearchSize is what a sampler's defaults may depend on.
type SearchSize struct {
	Games      int64 // of the whole study
	BlockGames int64 // of one block of a candidate, or of a pair in a duel
	Duels      bool
}

// Traits are what a study file's reader must know of a sampler. Defaults of zero
// are the general ones.
type Traits struct {
	Answers bool    // the answer is a model's or a mean: no final, and no end of a finite space
	Duels   bool    // it learns from duels
	State   bool    // it proposes from the values of all it proposed before (Stateful)
	Batch   int     // default of sampler.batch, trials
	Race    *Race   // default of race
	Begins  bool    // it lets others name points that are tried
	Learns  bool    // it learns from games that others asked for
	Proving float64 // default share of the games that is kept for validation
}
