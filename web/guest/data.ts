import type { Box, Comparison, ViewerPicture } from '../viewer';
import type { Status } from './words';

/** What the program writes into the page of one comparison, and into that of a batch. */
export interface Data {
  readonly comparison?: Comparison;
  readonly crops?: Readonly<Record<string, { readonly picture: ViewerPicture; readonly box: Box; readonly label: string }>>;
  readonly guest?: GuestData;
}

/** What only the pages have whose visitors may review. */
export interface GuestData {
  /** The address of the batch, below which its actions are. */
  readonly batch: string;
  /** The address of the comparison, below which its actions are. */
  readonly actions?: string;
  readonly status?: Status;
  readonly comments?: readonly Comment[];
  readonly changes?: readonly Change[];
}

export interface Comment {
  readonly author: string;
  /** Nobody verified the author's name. */
  readonly guest: boolean;
  readonly text: string;
  readonly at: string;
}

export interface Change {
  /** The id of the element beside the change. */
  readonly slot: string;
  readonly fingerprint: string;
  /** How many comparisons show it that nobody has decided about. */
  readonly open: number;
  /** Somebody accepted it, and pages that show something else, too, stayed open. */
  readonly accepted: boolean;
}

/** The data of the page. It is text that is parsed, never run. */
export function read(): Data {
  const text = document.getElementById('data')?.textContent;
  return text ? (JSON.parse(text) as Data) : {};
}
