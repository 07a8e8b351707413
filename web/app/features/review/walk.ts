import type { ComparisonStatus, Device } from '../../api/generated/graphql';

/** Which pages of a run are gone through: those of the grid that one came from, else those to review. */
export interface Walk {
  run?: string | undefined;
  status?: ComparisonStatus | undefined;
  device?: Device | undefined;
  text?: string | undefined;
}
