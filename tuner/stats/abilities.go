package stats

// Abilities are strengths on a logarithmic scale relative to the first player:
// i beats j with chance 1/(1+exp(a_j - a_i)). 400/ln 10 times an ability is
// Elo.
type Abilities struct {
	// Ability of the first player is 0. A player who is linked to the first
	// one by no chain of wins in both directions has no finite estimate.
	Ability []Number
	// SE is the standard error of the difference from the first player, taking
	// every game as independent.
	SE []Number
	// Reason names the players without an estimate, when there are any.
	Reason string
}
