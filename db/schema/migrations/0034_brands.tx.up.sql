-- What an account's public pages and reports look like: its logo, made anew as a PNG file from what was sent, and its colour.
CREATE TABLE brands (
    account_id uuid PRIMARY KEY REFERENCES accounts (id),
    color text CHECK (color ~ '^#[0-9a-f]{6}$'),
    logo bytea CHECK (octet_length(logo) BETWEEN 1 AND 524288),
    logo_width integer CHECK (logo_width > 0),
    logo_height integer CHECK (logo_height > 0),
    updated_at timestamptz NOT NULL,
    CHECK (num_nonnulls(logo, logo_width, logo_height) IN (0, 3)),
    CHECK (num_nonnulls(color, logo) > 0)
);

-- PNG files do not become smaller, so nobody need try.
ALTER TABLE brands ALTER COLUMN logo SET STORAGE EXTERNAL;

SELECT guard_tenant('brands');
