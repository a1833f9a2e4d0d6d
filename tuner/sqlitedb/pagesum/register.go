//go:build cgo && !windows

package pagesum

/*
#cgo darwin LDFLAGS: -Wl,-undefined,dynamic_lookup
int pagesum_register(void);
*/
import "C"

import (
	"fmt"
	"sync"
)

// Layer is the name of the layer, as SQLite's parameter vfs of a file has it.
const Layer = "pagesum"

// Register makes the layer known to SQLite, once for the process.
var Register = sync.OnceValue(func() error {
	if rc := C.pagesum_register(); rc != 0 {
		return fmt.Errorf("page checksums: SQLite refuses the layer: error %d", int(rc))
	}
	return nil
})
