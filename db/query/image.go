package query

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"afterimage/vcd"
)

// ImageRow is a picture, also one that was joined to what shows it.
type ImageRow struct {
	bun.BaseModel `bun:"table:images,alias:i"`

	Account   vcd.ID    `bun:"account_id,pk"`
	ID        vcd.ID    `bun:"id,pk"`
	Token     string    `bun:"token"`
	Hash      string    `bun:"hash"`
	Over      string    `bun:"over,nullzero"`
	MediaType string    `bun:"media_type"`
	Width     int       `bun:"width"`
	Height    int       `bun:"height"`
	Size      int       `bun:"size"`
	CreatedAt time.Time `bun:"created_at"`
}

// ImageColumns selects the columns of a joined image under the names of an embedded struct: "i.token AS i_token".
func ImageColumns(alias string) string {
	names := []string{"account_id", "id", "token", "hash", "over", "media_type", "width", "height", "size", "created_at"}
	for i, name := range names {
		names[i] = fmt.Sprintf("%s.%s AS %[1]s_%[2]s", alias, name)
	}
	return strings.Join(names, ", ")
}

// Image returns nil for a row that an outer join left empty.
func (r *ImageRow) Image() *vcd.Image {
	if r.ID == "" {
		return nil
	}
	return &vcd.Image{
		ID: r.ID, Account: r.Account, Token: r.Token, Hash: r.Hash, Over: r.Over, MediaType: r.MediaType, Width: r.Width,
		Height: r.Height, Size: r.Size, CreatedAt: r.CreatedAt.UTC(),
	}
}

// InsertImage stores a picture, whose file is in place.
func (t Scope) InsertImage(ctx context.Context, img *vcd.Image) error {
	row := &ImageRow{
		Account: img.Account, ID: img.ID, Token: img.Token, Hash: img.Hash, Over: img.Over, MediaType: img.MediaType, Width: img.Width,
		Height: img.Height, Size: img.Size, CreatedAt: img.CreatedAt,
	}
	if _, err := t.Bun.NewInsert().Model(row).Exec(ctx); err != nil {
		return fmt.Errorf("insert the image: %w", err)
	}
	return nil
}

// Unnamed is the condition for a blob b that is referenced neither by an image, as its content or as the picture
// beneath it, nor by a screenshot as the content of its page.
const Unnamed = `NOT EXISTS (SELECT FROM images AS i WHERE i.hash = b.hash)
		AND NOT EXISTS (SELECT FROM images AS i WHERE i.over = b.hash)
		AND NOT EXISTS (SELECT FROM screenshots AS s WHERE s.elements_hash = b.hash)`
