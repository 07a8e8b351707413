import css from './Kbd.module.css';

/** A key, or several to be pressed one after the other. */
export function Kbd({ keys }: { keys: string }) {
  return (
    <span>
      {keys.split(' ').map((key, index) => (
        <kbd key={index} className={css.key}>
          {key}
        </kbd>
      ))}
    </span>
  );
}
