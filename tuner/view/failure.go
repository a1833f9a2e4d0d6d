package view

import "strings"

// failure is a class of what ends a study with an error.
type failure struct {
	signs  []string // texts, any of which in the message tells the class
	what   string   // what happened, in ten words
	cure   string   // what can be done, before it is resumed or instead
	repeat bool     // resumed as it is, the study fails so again
}

// failures are the classes, of which the first that fits is told.
var failures = []failure{
	{[]string{":recorded-"}, "A player no longer plays the same game twice.",
		"Put back a program that does, and resume; or run the study again under a new name, with fresh: true (a process for every game) or recorded: true in the program's entry.", true},
	{[]string{"by other code", "its files have changed"}, "The program that plays has changed since the first games.",
		"Put the program back with which the study began, and resume; or run the study again under a new name with the present program.", true},
	{[]string{"the records of worker"}, "A worker reported other games than are played here.",
		"Its blocks are dropped. Resume: blocks that depend on them are played again.", false},
	{[]string{"was another game", "not the same twice", "does not play the same twice", "to play by chance", "not deterministic"}, "A player did not play the same game twice.",
		"Give the program fresh: true in its entry (a process for every game), or else recorded: true; or make it deterministic (a limit by nodes, a seed). Then run the study again under a new name.", true},
	{[]string{"panic:"}, "The code of a game or a player crashed (panic).",
		"The daemon's log says where. Correct the code, and run the study again with changes.", true},
	{[]string{"no space left", "disk is full", "cannot be written", "disk I/O error", "disk quota", "readonly database", "read-only file system"}, "The disk is full or cannot be written; nothing new was stored.",
		"Make room on the disk, then resume.", false},
	{[]string{"is damaged"}, "The database is damaged.", "Put a backup in its place (sakusen db backup makes them), then resume.", false},
	{[]string{"unknown engine", "none is registered", "executable file not found", "no such file", "permission denied", "not found in", "handshake"}, "A program that plays cannot be started here.",
		"Put the program where the settings name it, and try it with sakusen engine show NAME; then resume.", false},
	{[]string{"did not answer", "no answer", "timed out", "deadline exceeded"}, "A program that plays gave no answer in time.",
		"See why with sakusen engine conformance, or give it more time; then resume.", false},
	{[]string{"has ended", "exit status", "signal:", "broken pipe"}, "A program that plays ended in the middle of a game.",
		"Its own log may say why. Correct it, then resume.", false},
	{[]string{"sampler "}, "The search proposed no further point.", "Run it again with changes: another sampler, or wider ranges.", true},
}

// mostTold is the length up to which the message of a failure of no known class is told whole.
const mostTold = 90

// Failed returns what ended a tournament, a run or a test with an error, and what can be done.
func Failed(message string) string {
	f := failureOf(message)
	return f.what + " " + strings.NewReplacer("the study", "it").Replace(f.cure)
}

// failureOf returns the class of a failure by the message that it left.
func failureOf(message string) failure {
	low := strings.ToLower(message)
	for _, f := range failures {
		for _, sign := range f.signs {
			if strings.Contains(low, strings.ToLower(sign)) {
				return f
			}
		}
	}
	f := failure{what: "An error ended it.", cure: "Remove the cause, then resume."}
	if len(message) <= mostTold && message != "" && !strings.Contains(message, "\n") {
		f.what = sentence(message, "")
	}
	return f
}
