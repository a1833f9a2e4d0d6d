package listen

import (
	"crypto/tls"
	"fmt"
	"sync/atomic"
)

// Certificate is the daemon's TLS certificate, which can be replaced while it
// serves.
type Certificate struct {
	now atomic.Pointer[tls.Certificate]
}

// LoadCertificate reads the certificate of a front; one without TLS has none.
func LoadCertificate(f *Front) (*Certificate, error) {
	c := new(Certificate)
	return c, c.Load(f)
}

// Load reads the certificate and its key again. Where they cannot be read or do
// not belong together, the former ones stay.
func (c *Certificate) Load(f *Front) error {
	if f.Cert == "" {
		return nil
	}
	pair, err := tls.LoadX509KeyPair(f.Cert, f.Key)
	if err != nil {
		return fmt.Errorf("tls_cert, tls_key: %w", err)
	}
	c.now.Store(&pair)
	return nil
}

// Config is that of a server which shows the certificate of the moment.
func (c *Certificate) Config() *tls.Config {
	return &tls.Config{
		MinVersion:     tls.VersionTLS12,
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return c.now.Load(), nil },
	}
}
