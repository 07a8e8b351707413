package imgdiff_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"log"

	"afterimage/imgdiff"
)

// page draws a white page with cards of some colours below each other.
func page(cards ...color.Color) []byte {
	img := image.NewRGBA(image.Rect(0, 0, 400, 60+len(cards)*80))
	draw.Draw(img, img.Rect, image.White, image.Point{}, draw.Src)
	for i, ink := range cards {
		card := image.Rect(20, 20+i*80, 380, 80+i*80)
		draw.Draw(img, card, image.NewUniform(ink), image.Point{}, draw.Src)
	}
	var out bytes.Buffer
	if err := png.Encode(&out, img); err != nil {
		log.Fatal(err)
	}
	return out.Bytes()
}

var (
	red   = color.RGBA{200, 30, 30, 255}
	green = color.RGBA{30, 160, 60, 255}
	blue  = color.RGBA{30, 60, 200, 255}
	gold  = color.RGBA{230, 180, 40, 255}
)

func ExampleCompare() {
	before, after := page(red, green, blue), page(red, gold, blue)
	result, err := imgdiff.Compare(context.Background(), before, after, imgdiff.DefaultOptions())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d pixels, %.1f %%\n", result.Changed, result.Percent)
	for _, region := range result.Regions {
		fmt.Println("region", region.ID, region.Box)
	}
	// Output:
	// 21600 pixels, 18.0 %
	// region 1 (20,100)-(380,160)
}

// A card was inserted, so everything below it moved: the plain difference is
// large, the aligned one only what is new.
func ExampleCompare_shifted() {
	before, after := page(red, green, blue), page(red, gold, green, blue)
	result, err := imgdiff.Compare(context.Background(), before, after, imgdiff.DefaultOptions())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("plain %.1f %%, aligned %.1f %%\n", result.Percent, result.AlignedPercent)
	for _, band := range result.Bands {
		fmt.Println(band.Rows, "rows", band.Kind, "at", band.YAfter)
	}
	// Output:
	// plain 58.9 %, aligned 21.1 %
	// 80 rows inserted at 100
}

func ExampleResult_MaskPNG() {
	result, err := imgdiff.Compare(context.Background(), page(red), page(blue), imgdiff.DefaultOptions())
	if err != nil {
		log.Fatal(err)
	}
	mask, err := result.MaskPNG(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	config, err := png.DecodeConfig(bytes.NewReader(mask))
	fmt.Println(config.Width, "×", config.Height, err)
	// Output:
	// 400 × 140 <nil>
}

func ExampleBlank() {
	blank, err := imgdiff.Blank(context.Background(), page())
	fmt.Println(blank, err)
	blank, err = imgdiff.Blank(context.Background(), page(red))
	fmt.Println(blank, err)
	// Output:
	// true <nil>
	// false <nil>
}

// Pixels that differ between two shots of one page change by themselves; a
// mask of them keeps such pixels out of later comparisons.
func ExampleMask() {
	firstShot, secondShot := page(red, green), page(red, gold)
	shots, err := imgdiff.Compare(context.Background(), firstShot, secondShot, imgdiff.Options{})
	if err != nil {
		log.Fatal(err)
	}
	o := imgdiff.DefaultOptions()
	o.Instability = shots.ChangedMask()
	result, err := imgdiff.Compare(context.Background(), page(red, green), page(blue, blue), o)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Changed, "pixels in", len(result.Regions), "region")
	// Output:
	// 21600 pixels in 1 region
}
