package enginestore

import (
	"debug/buildinfo"
	"debug/elf"
	"debug/macho"
	"debug/pe"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// systemOf returns GOOS and GOARCH of the system for which a file is a program, by its header; empty
// where it is another file. A file of Mach-O or PE that is no program of one of the systems is an
// error that says what it is.
func systemOf(file io.ReaderAt) (system, arch string, err error) {
	if f, err := elf.NewFile(file); err == nil {
		defer f.Close()
		arch := elfArch(f)
		if arch == "" || f.Type != elf.ET_EXEC && f.Type != elf.ET_DYN || f.Type == elf.ET_DYN && f.Entry == 0 {
			return "", "", nil // a library, or a part of one
		}
		return elfSystem(f), arch, nil
	}
	if fat, err := macho.NewFatFile(file); err == nil {
		defer fat.Close()
		return "", "", fmt.Errorf("it is a Mach-O file for %d processors: expected one file for each, as lipo -thin makes them", len(fat.Arches))
	}
	if f, err := macho.NewFile(file); err == nil {
		defer f.Close()
		arch := map[macho.Cpu]string{macho.CpuAmd64: "amd64", macho.CpuArm64: "arm64"}[f.Cpu]
		return programOf("Mach-O", "darwin", arch, f.Cpu, f.Type == macho.TypeExec, f.Type)
	}
	if f, err := pe.NewFile(file); err == nil {
		defer f.Close()
		arch := map[uint16]string{pe.IMAGE_FILE_MACHINE_AMD64: "amd64", pe.IMAGE_FILE_MACHINE_I386: "386", pe.IMAGE_FILE_MACHINE_ARM64: "arm64"}[f.Machine]
		kind := "Object"
		if f.Characteristics&pe.IMAGE_FILE_DLL != 0 {
			kind = "DLL"
		}
		return programOf("PE", "windows", arch, fmt.Sprintf("machine %#x", f.Machine), kind == "Object" && f.Characteristics&pe.IMAGE_FILE_EXECUTABLE_IMAGE != 0, kind)
	}
	var begin [2]byte
	if file.ReadAt(begin[:], 0); string(begin[:]) == "MZ" {
		return "", "", errors.New("it is a file of DOS or Windows that is damaged, or for a processor that no worker has")
	}
	return "", "", nil
}

// programOf returns a system, or an error that says what a file of a format is.
func programOf(format, system, arch string, processor any, is bool, kind any) (string, string, error) {
	switch {
	case arch == "":
		return "", "", fmt.Errorf("it is a %s file for a processor that no worker has (%v)", format, processor)
	case !is:
		return "", "", fmt.Errorf("it is a %s file for %s/%s that is no program (%v)", format, system, arch, kind)
	}
	return system, arch, nil
}

func elfSystem(f *elf.File) string {
	switch f.OSABI {
	case elf.ELFOSABI_FREEBSD:
		return "freebsd"
	case elf.ELFOSABI_NETBSD:
		return "netbsd"
	case elf.ELFOSABI_OPENBSD:
		return "openbsd"
	}
	for note, system := range map[string]string{".note.netbsd.ident": "netbsd", ".note.openbsd.ident": "openbsd"} {
		if f.Section(note) != nil {
			return system
		}
	}
	return "linux"
}

func elfArch(f *elf.File) string {
	little := f.Data == elf.ELFDATA2LSB
	switch f.Machine {
	case elf.EM_X86_64:
		if f.Class == elf.ELFCLASS64 {
			return "amd64"
		}
	case elf.EM_386:
		return "386"
	case elf.EM_AARCH64:
		if little {
			return "arm64"
		}
	case elf.EM_ARM:
		return "arm"
	case elf.EM_RISCV:
		if f.Class == elf.ELFCLASS64 {
			return "riscv64"
		}
	case elf.EM_PPC64:
		if little {
			return "ppc64le"
		}
		return "ppc64"
	case elf.EM_S390:
		return "s390x"
	case elf.EM_LOONGARCH:
		return "loong64"
	}
	return ""
}

// compilerOf returns the version line that the compiler of a program has left in it, empty where
// there is none.
func compilerOf(path string) string {
	if info, err := buildinfo.ReadFile(path); err == nil {
		return info.GoVersion
	}
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer file.Close()
	f, err := elf.NewFile(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	comment := f.Section(".comment")
	if comment == nil || comment.Size > 64<<10 {
		return ""
	}
	text, err := comment.Data()
	if err != nil {
		return ""
	}
	var lines []string
	for line := range strings.SplitSeq(string(text), "\x00") {
		if line = strings.Join(strings.Fields(strings.ToValidUTF8(line, "?")), " "); line != "" {
			lines = append(lines, line[:min(len(line), 200)])
		}
	}
	return strings.Join(lines[:min(len(lines), 4)], "; ")
}
