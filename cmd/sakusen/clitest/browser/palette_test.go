package browser

import (
	"bytes"
	"cmp"
	"image"
	"image/color"
	"image/png"
	"slices"
	"testing"
)

// small writes a picture anew with at most 256 colours, those that it has most of: pages
// have few, and the files are a third as large.
func small(picture []byte) ([]byte, error) {
	full, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		return nil, err
	}
	type share struct {
		c color.RGBA
		n int
	}
	counts := map[color.RGBA]int{}
	box := full.Bounds()
	at := func(x, y int) color.RGBA {
		r, g, b, _ := full.At(x, y).RGBA()
		return color.RGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), 255}
	}
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			counts[at(x, y)]++
		}
	}
	var shares []share
	for c, n := range counts {
		shares = append(shares, share{c, n})
	}
	slices.SortFunc(shares, func(a, b share) int {
		return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.c.R, b.c.R), cmp.Compare(a.c.G, b.c.G), cmp.Compare(a.c.B, b.c.B))
	})
	var palette color.Palette
	for _, s := range shares[:min(len(shares), 256)] {
		palette = append(palette, s.c)
	}
	nearest := map[color.RGBA]uint8{}
	out := image.NewPaletted(box, palette)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			c := at(x, y)
			i, ok := nearest[c]
			if !ok {
				i = uint8(palette.Index(c))
				nearest[c] = i
			}
			out.SetColorIndex(x, y, i)
		}
	}
	var b bytes.Buffer
	err = (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, out)
	return b.Bytes(), err
}

// A picture of few colours stays as it is, and any other keeps its commonest ones.
func TestSmall(t *testing.T) {
	in := image.NewRGBA(image.Rect(0, 0, 40, 40))
	for i := range 1600 {
		in.Set(i%40, i/40, color.RGBA{uint8(i), uint8(i / 40), 7, 255})
	}
	for i := range 400 {
		in.Set(i%40, i/40, color.RGBA{1, 2, 3, 255})
	}
	var b bytes.Buffer
	if err := png.Encode(&b, in); err != nil {
		t.Fatal(err)
	}
	text, err := small(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	out, err := png.Decode(bytes.NewReader(text))
	if err != nil || out.Bounds() != in.Bounds() {
		t.Fatal(err)
	}
	if r, g, bl, _ := out.At(3, 3).RGBA(); r>>8 != 1 || g>>8 != 2 || bl>>8 != 3 {
		t.Errorf("the commonest colour became %d %d %d", r>>8, g>>8, bl>>8)
	}
}
