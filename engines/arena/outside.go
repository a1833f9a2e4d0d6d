package arena

// outside.go is about players that are programs of somebody else.

// Identity is which program of somebody else plays.
type Identity struct {
	// Hash stands in place of the signature: a hash of all that decides the
	// program's play, of which its files say more than a few games.
	Hash string
	// Way is a hash of how the program is run, such as in a new process for each game: what
	// Hash does not hold and two machines must have alike.
	Way string
	// Recorded says why its games cannot be played again: a clock, several threads.
	// What was played of them is kept, and is all that there will ever be. Empty
	// where they can.
	Recorded string
}

// recordedMark heads the hash of a program whose games cannot be played again.
const recordedMark = "recorded-"

// signature is the identity as a signature.
func (i Identity) signature() string {
	if i.Recorded != "" {
		return recordedMark + i.Hash
	}
	return i.Hash
}

// Program is a program of somebody else as a machine has it. Two machines whose programs
// are equal play the same games with them, where they can be played again.
type Program struct {
	Name     string `json:"name"`     // of the strategy
	Identity string `json:"identity"` // Identity.Hash
	Way      string `json:"way"`      // Identity.Way
}
