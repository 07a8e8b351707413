import type { ReactNode } from 'react';

import css from './Table.module.css';

interface Props {
  /** What it lists, for screen readers. */
  label: string;
  /** The headings of the columns; an empty one is a column of buttons. */
  columns: readonly string[];
  /** Rows: the first cell of each is its heading; cells have data-label for phones. */
  children: ReactNode;
}

/** A list of things with the same facts. */
export function Table({ label, columns, children }: Props) {
  return (
    <div className={css.scroll}>
      <table className={css.table} aria-label={label}>
        <thead>
          <tr>
            {columns.map((column, index) =>
              column === '' ? (
                <td key={index}>{column}</td>
              ) : (
                <th key={index} scope="col">
                  {column}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
