package service

import (
	"sakusen/tuner"
	"sakusen/tuner/store"
)

// StudyFile is a study file that was read.
type StudyFile struct {
	Setup      *tuner.Setup
	Signatures string // of the play of its strategies
	// Source is the study file to store with the study; empty if none is stored.
	Source store.Source
}
