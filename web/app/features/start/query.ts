import { graphql } from '../../api/generated';

/** Takes the page of an address, or finds that the account has it. */
export const AddPageDocument = graphql(`
  mutation AddPage($input: CreateUrlInput!) {
    createUrl(input: $input) {
      url {
        id
        address
      }
    }
  }
`);

export const GroupsNamedDocument = graphql(`
  query GroupsNamed($search: String!) {
    groups(first: 100, filter: { search: $search }) {
      nodes {
        id
        name
      }
    }
  }
`);

/** How far the first comparison of a group is. */
export const FirstRunDocument = graphql(`
  query FirstRun($id: ID!) {
    batch(id: $id) {
      ...RunSummary
    }
  }
`);
