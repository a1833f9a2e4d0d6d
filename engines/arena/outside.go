package arena

import "strings"

// outside.go is about players that are programs of somebody else.

// Identity is which program of somebody else plays.
type Identity struct {
	// Hash stands in place of the signature: a hash of all that decides the
	// program's play, of which its files say more than a few games.
	Hash string
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

// RecordedIn tells whether signatures, as [Ruleset.Signatures] returns them, are of
// players whose games cannot be played again.
func RecordedIn(signatures string) bool { return strings.Contains(signatures, ":"+recordedMark) }
