package rollout

// Chance is the generator of the golden vectors: SplitMix64 (Steele, Lea and
// Flood 2014). Its state is a plain counter.
type Chance struct{ State uint64 }

// Gamma is the step of the state at each draw, Gamma2 and Gamma3 those of
// two and three draws.
const (
	Gamma  = 0x9E3779B97F4A7C15
	Gamma2 = Gamma * 2 & (1<<64 - 1)
	Gamma3 = Gamma * 3 & (1<<64 - 1)
)

// Mix makes a random number of a state.
func Mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// Uint64 draws 64 bits.
func (c *Chance) Uint64() uint64 {
	c.State += Gamma
	return Mix(c.State)
}

// next draws an integer in [0, n); one number is drawn for n = 1, too.
func (c *Chance) next(n int) int { return int((c.Uint64() >> 33) % uint64(n)) }

// unit draws 53 random bits: a number in [0, 1) in units of 2^-53.
func (c *Chance) unit() uint64 { return c.Uint64() >> 11 }

// AttackBound is the number of units of 2^-53 from which on a draw means
// attack, when attacks are drawn with the given per cent.
func AttackBound(percent int) uint64 {
	share := float64(100-percent) / 100 // 0.2 for 80 per cent, as in the program
	bound := uint64(share * (1 << 53))
	for float64(bound)*0x1p-53 < share {
		bound++
	}
	return bound
}
