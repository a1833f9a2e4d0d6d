// Package site writes the histories of benchmarks as a folder of static pages:
// nothing needs to run to look at them. An alarm can be sent to a webhook once.
//
//	alarms, err := site.Write("public", site.Site{Title: "main", Total: 300, Series: series})
//	told, err := site.Tell(ctx, "public", "https://example.com/hook", alarms)
//
// The folder has the list of the series in pages, index.html, index-2.html and so on. A page
// for each series. The names of all, names-1.js and so on, which search.js reads; and
// alarms.json, in which stands what the webhook was told.
package site
