package tubstap

import "fmt"

// Kind is a kind of unit, in the order of the power table.
type Kind uint8

// The six kinds.
const (
	Fighter  Kind = iota // fighter plane
	Attacker             // attack plane
	Panzer               // tank
	Cannon               // self-propelled gun, the one indirect kind
	AntiAir              // anti-air tank
	Infantry
	Kinds = 6
)

// Range of an indirect attack, in cells of Manhattan distance.
const (
	MinRange = 2
	MaxRange = 3
)

// FullHP is the HP of an unhurt unit. Maps may hold more; ParseMap warns.
const FullHP = 10

const kindMarks = "FAPURI"

var (
	kindNames  = [Kinds]string{"fighter", "attacker", "panzer", "cannon", "antiair", "infantry"}
	movePoints = [Kinds]int8{9, 7, 6, 5, 6, 3}
)

// Mark is the letter of the kind: F, A, P, U, R or I.
func (k Kind) Mark() string { return kindMarks[k : k+1] }

// String is the name used in map files.
func (k Kind) String() string {
	if k >= Kinds {
		return fmt.Sprintf("Kind(%d)", uint8(k))
	}
	return kindNames[k]
}

// kindOf finds a kind by its name in map files or by its mark.
func kindOf(name string) (Kind, bool) {
	for k := range Kind(Kinds) {
		if name == kindNames[k] || name == k.Mark() {
			return k, true
		}
	}
	return 0, false
}

// Air says whether the kind flies: it then defends with no stars.
func (k Kind) Air() bool { return k <= Attacker }

// Indirect says whether the kind attacks from a distance of MinRange to
// MaxRange, without moving, and neither counters nor is countered.
func (k Kind) Indirect() bool { return k == Cannon }

// MovePoints is the budget of a move, in units of terrain cost.
func (k Kind) MovePoints() int { return int(movePoints[k]) }
