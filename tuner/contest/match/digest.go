package match

import (
	"encoding/hex"
	"strconv"

	"sakusen/engines/arena"
)

// addDigests adds the lines "block,rotation,transcript digest" of a run.
func (m *Match) addDigests(r *arena.Run) {
	m.seen.Add(r)
	m.race.Add(r)
	if r.Worker == Posted {
		m.posted += int64(r.Blocks)
	}
	for b := range r.Blocks {
		block := r.From + int64(b)
		games := r.Digests[b*r.Rotations : (b+1)*r.Rotations]
		m.line = m.line[:0]
		for rotation, d := range games {
			m.line = strconv.AppendInt(m.line, block, 10)
			m.line = append(m.line, ',')
			m.line = strconv.AppendInt(m.line, int64(rotation), 10)
			m.line = append(m.line, ',')
			for shift := 60; shift >= 0; shift -= 4 {
				m.line = append(m.line, "0123456789abcdef"[d>>shift&15])
			}
			m.line = append(m.line, '\n')
		}
		m.sum.Write(m.line)
	}
}

// Digest is the digest of all games played so far.
func (m *Match) Digest() string { return hex.EncodeToString(m.sum.Sum(nil)) }
