import { graphql } from '../../api/generated';

/** How far the first comparison of a group is. */
export const FirstRunDocument = graphql(`
  query FirstRun($id: ID!) {
    batch(id: $id) {
      ...RunSummary
    }
  }
`);
