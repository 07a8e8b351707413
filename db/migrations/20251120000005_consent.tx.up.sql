-- Whether cookie banners and advertisements are taken out of the way before a group's screenshots.

ALTER TABLE groups ADD COLUMN hide_consent boolean NOT NULL DEFAULT true;
