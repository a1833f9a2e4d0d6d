// Package site writes the histories of benchmarks as a folder of static pages:
// nothing needs to run to look at them. An alarm can be sent to a webhook once.
//
//	alarms, err := site.Write("public", site.Site{Title: "main", Series: series})
//	told, err := site.Tell(ctx, "public", "https://example.com/hook", alarms)
//
// The folder has index.html, a page for each series, and alarms.json, in which
// stands what the webhook was told.
package site
