-- Comparisons are sorted by the difference that was compared with the threshold.
CREATE INDEX comparisons_judged ON comparisons
    (account_id, (CASE measure WHEN 'aligned' THEN aligned_percent ELSE difference_percent END), created_at, id);
