package main

import (
	"crypto/tls"
	"fmt"
	"sync/atomic"
)

// certificate is the daemon's TLS certificate, which can be replaced while it
// serves.
type certificate struct {
	now atomic.Pointer[tls.Certificate]
}

// load reads the certificate and its key. Where they cannot be read or do not
// belong together, the former ones stay.
func (c *certificate) load(f *front) error {
	if f.cert == "" {
		return nil
	}
	pair, err := tls.LoadX509KeyPair(f.cert, f.key)
	if err != nil {
		return fmt.Errorf("tls_cert, tls_key: %w", err)
	}
	c.now.Store(&pair)
	return nil
}

// config is that of a server which shows the certificate of the moment.
func (c *certificate) config() *tls.Config {
	return &tls.Config{
		MinVersion:     tls.VersionTLS12,
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return c.now.Load(), nil },
	}
}
