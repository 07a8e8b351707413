-- One finding for each changed element instead of one for each region, and whether the findings of a comparison explain every
-- changed pixel. What was stored before is kept, but cannot be called explained: nobody counted its pixels.

ALTER TABLE comparisons
    ADD COLUMN explained boolean NOT NULL DEFAULT false,
    ADD COLUMN unlisted_findings integer NOT NULL DEFAULT 0 CHECK (unlisted_findings >= 0), -- changes beyond those in findings
    ADD COLUMN unlisted_pixels bigint NOT NULL DEFAULT 0 CHECK (unlisted_pixels >= 0),
    ADD COLUMN unlisted_category text CHECK (unlisted_category IN ('alert', 'not_sure', 'all_good')), -- the worst of them
    ADD COLUMN truncated boolean NOT NULL DEFAULT false, -- a screenshot was cut off, so a part of the page was not compared
    ADD COLUMN truncation_alarm boolean NOT NULL DEFAULT false, -- whether that alarms
    ADD CHECK ((unlisted_findings > 0) = (unlisted_category IS NOT NULL)),
    ADD CHECK (NOT explained OR unlisted_findings = 0 AND NOT truncated);

UPDATE comparisons SET findings = (
    SELECT coalesce(jsonb_agg(change || jsonb_strip_nulls(jsonb_build_object(
        'category', CASE WHEN first OR verdict ->> 'category' = 'all_good' THEN verdict -> 'category' ELSE change -> 'category' END,
        'ruled', CASE WHEN first THEN verdict -> 'ruled' ELSE change -> 'category' END,
        'regions', jsonb_build_array(verdict -> 'region'),
        'description', CASE WHEN first THEN verdict ->> 'description' ELSE 'Another change of the same region.' END,
        'weight', CASE WHEN first THEN 10 ELSE 0 END,
        'box_before', change -> 'before' -> 'box', 'box_after', change -> 'after' -> 'box', 'judge', verdict -> 'judge',
        'reason', verdict -> 'reason', 'confidence', verdict -> 'confidence', 'certain', verdict -> 'certain',
        'rule', verdict -> 'rule')) ORDER BY region, place), '[]')
    FROM jsonb_array_elements(findings) WITH ORDINALITY AS v (verdict, region)
    CROSS JOIN LATERAL jsonb_array_elements(CASE jsonb_array_length(verdict -> 'changes') WHEN 0
        THEN '[{"kind": "unexplained", "fingerprint": "", "category": "not_sure"}]' ELSE verdict -> 'changes' END)
        WITH ORDINALITY AS c (change, place)
    CROSS JOIN LATERAL (SELECT place = 1 AS first) AS f
) WHERE findings <> '[]';
