package enginestore

import (
	"bytes"
	"debug/macho"
	"debug/pe"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// machO returns the header of a file of Mach-O.
func machO(cpu macho.Cpu, kind macho.Type) []byte {
	var b bytes.Buffer
	binary.Write(&b, binary.LittleEndian, macho.FileHeader{Magic: macho.Magic64, Cpu: cpu, Type: kind})
	return append(b.Bytes(), 0, 0, 0, 0)
}

// portable returns the header of a file of PE.
func portable(machine, characteristics uint16) []byte {
	b := make([]byte, 128)
	copy(b, "MZ")
	b[0x3c] = 128
	to := bytes.NewBuffer(append(b, "PE\x00\x00"...))
	binary.Write(to, binary.LittleEndian, pe.FileHeader{Machine: machine, Characteristics: characteristics})
	return to.Bytes()
}

// universal returns a file of Mach-O for two processors.
func universal() []byte {
	parts := [][]byte{machO(macho.CpuAmd64, macho.TypeExec), machO(macho.CpuArm64, macho.TypeExec)}
	b := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, macho.MagicFat), 2)
	for i, cpu := range []macho.Cpu{macho.CpuAmd64, macho.CpuArm64} {
		for _, x := range []uint32{uint32(cpu), 0, uint32(64 * (i + 1)), uint32(len(parts[i])), 0} {
			b = binary.BigEndian.AppendUint32(b, x)
		}
	}
	for i, part := range parts {
		b = append(append(b, make([]byte, 64*(i+1)-len(b))...), part...)
	}
	return b
}

// A program is known by its header; a file of another system's format that is none is refused, with what
// it is.
func TestSystemOf(t *testing.T) {
	own, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	const runs, dll = pe.IMAGE_FILE_EXECUTABLE_IMAGE, pe.IMAGE_FILE_EXECUTABLE_IMAGE | pe.IMAGE_FILE_DLL
	for name, c := range map[string]struct {
		text       []byte
		want, says string
	}{
		"mac":          {machO(macho.CpuArm64, macho.TypeExec), "darwin/arm64", ""},
		"mac library":  {machO(macho.CpuArm64, macho.TypeDylib), "/", "a Mach-O file for darwin/arm64 that is no program (Dylib)"},
		"mac object":   {machO(macho.CpuAmd64, macho.TypeObj), "/", "no program (Obj)"},
		"old mac":      {machO(macho.CpuPpc64, macho.TypeExec), "/", "a processor that no worker has (CpuPpc64)"},
		"universal":    {universal(), "/", "a Mach-O file for 2 processors"},
		"windows":      {portable(pe.IMAGE_FILE_MACHINE_AMD64, runs), "windows/amd64", ""},
		"dll":          {portable(pe.IMAGE_FILE_MACHINE_ARM64, dll), "/", "a PE file for windows/arm64 that is no program (DLL)"},
		"itanium":      {portable(pe.IMAGE_FILE_MACHINE_IA64, runs), "/", "for a processor that no worker has"},
		"a net":        {[]byte("a net"), "/", ""},
		"nothing":      {nil, "/", ""},
		"half a mac":   {machO(macho.CpuArm64, macho.TypeExec)[:20], "/", ""},
		"a java class": {append([]byte{0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 61}, make([]byte, 100)...), "/", ""},
		"this test":    {own, "", ""},
	} {
		system, arch, err := systemOf(bytes.NewReader(c.text))
		if got := system + "/" + arch; c.want != "" && got != c.want || c.want == "" && arch == "" || (err != nil) != (c.says != "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %s, %v", name, got, err)
		}
	}
	path := filepath.Join(t.TempDir(), "engine.dll")
	if err := os.WriteFile(path, portable(pe.IMAGE_FILE_MACHINE_AMD64, dll), 0o600); err != nil {
		t.Fatal(err)
	}
	err = Open(t.TempDir(), 1<<20).Stage(&Manifest{Name: "x"}, []string{path})
	if err == nil || !strings.Contains(err.Error(), "engine.dll: it is a PE file for windows/amd64 that is no program (DLL)") {
		t.Error(err)
	}
}
