// Package listen is how the daemon is reached: the address, the token and the
// TLS certificate of the settings, a proxy in front of it, the bound on open
// connections, and the service manager that wants to hear how far the daemon is.
//
// Place in the flow: `sakusen serve` opens a Front, listens, and hands what
// comes in to tuner/web, which knows neither certificates nor sockets.
//
//	front, err := listen.NewFront(settings, "127.0.0.1:7171")
//	cert, err := listen.LoadCertificate(front)
//	l, err := net.Listen("tcp", "127.0.0.1:7171")
//	h := &http.Server{Handler: server, TLSConfig: cert.Config()}
//	err = h.Serve(listen.Limit(l))
package listen
