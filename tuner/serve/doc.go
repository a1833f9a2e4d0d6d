// Package serve is the running daemon. It has a service over an open database, the API and the
// pages on a listener and the profiles on another. It handles signals and the service manager,
// and its webhook tells another program over HTTP what has ended.
//
// Place in the flow: `sakusen serve` makes an Endpoint from the settings, listens, and hands what comes in to
// tuner/web, which knows neither certificates nor sockets.
//
//	endpoint, err := serve.NewEndpoint(settings, "127.0.0.1:7171")
//	l, err := net.Listen("tcp", "127.0.0.1:7171")
//	err = serve.Serve(ctx, l, endpoint, db, serve.Options{Settings: settings, Open: open, Log: os.Stderr})
//
// Read server.go (the daemon, its settings read anew, its workers), endpoint.go (address,
// certificate, connections, the service manager), webhook.go.
package serve
