import css from './Progress.module.css';

interface Props {
  /** What progresses. */
  label: string;
  done: number;
  planned: number;
  /** How many of those done failed. */
  failed?: number;
}

/** How much of a known total is done. */
export function Progress({ label, done, planned, failed = 0 }: Props) {
  const share = (count: number) => `${planned === 0 ? 0 : (Math.min(count, planned) / planned) * 100}%`;
  return (
    <div className={css.bar} role="progressbar" aria-label={label} aria-valuemin={0} aria-valuemax={planned} aria-valuenow={done}>
      <span className={css.done} style={{ width: share(done - failed) }} />
      <span className={css.failed} style={{ width: share(failed) }} />
    </div>
  );
}
