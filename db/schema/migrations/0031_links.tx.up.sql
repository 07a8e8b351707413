-- A site without a sitemap can be imported by the links of its start page.
ALTER TABLE url_imports ADD COLUMN or_links boolean NOT NULL DEFAULT false;
