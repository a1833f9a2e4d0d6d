// Package pages is the HTML of the daemon: its templates with the functions they
// call, scripts and styles, and what a page shows where that is more than data of
// the service. It reads no request and no database: tuner/web gathers the data
// and answers.
//
//	set, err := pages.Parse()
//	html, err := set.Page("study", &pages.Study{Frame: frame, D: detail})
package pages
