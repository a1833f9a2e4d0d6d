package tubstap

import "fmt"

// Rules are the options of the game itself. The zero value is 0.108.
type Rules struct {
	// AntiAirInfantry is the power of an anti-air tank against infantry:
	// 105 in the program (and for 0 here), 115 on the official rules page.
	AntiAirInfantry int
}

func (r Rules) antiAirInfantry() int {
	if r.AntiAirInfantry == 0 {
		return 105
	}
	return r.AntiAirInfantry
}

// Check reports a rule outside its values.
func (r Rules) Check() error {
	switch r.AntiAirInfantry {
	case 0, 105, 115:
		return nil
	}
	return fmt.Errorf("antiair_infantry %d: want 105 (the program) or 115 (the rules page)", r.AntiAirInfantry)
}

// Team is a side: Red or Blue.
type Team int8

// The two sides, and nobody.
const (
	Red    Team = 0
	Blue   Team = 1
	Nobody Team = -1
)

// Other is the opposing side.
func (t Team) Other() Team { return 1 - t }

// String is the colour.
func (t Team) String() string {
	switch t {
	case Red:
		return "red"
	case Blue:
		return "blue"
	}
	return "nobody"
}
