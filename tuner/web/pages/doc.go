// Package pages is the HTML of the daemon: its templates with the functions they
// call, scripts and styles, and what a page shows where that is more than data of
// the service. It reads no request and no database: tuner/web gathers the data
// and answers.
//
//	set, err := pages.Parse()
//	html, err := set.Page("study", pages.StudyOf(frame, detail))
//
// Reading order: set.go parses the templates and has what they call, the glossary of
// words.txt too. answer.go says what a study has found, evidence.go draws it and what
// changes with it. A page each: now.go, studylist.go, study.go with trials.go and
// trial.go, compare.go, and newstudy.go, the form.
package pages
