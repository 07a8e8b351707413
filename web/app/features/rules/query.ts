import { graphql } from '../../api/generated';
import type { RulesQuery, SimulateRuleQuery } from '../../api/generated/graphql';

export const RulesDocument = graphql(`
  query Rules($after: String) {
    aiFeedbackRules(first: 100, after: $after) {
      totalCount
      nodes {
        id
        type
        scope
        description
        device
        isActive
        matchCount
        lastMatchedAt
        groupName
        websiteName
        createdAt
        context {
          pageUrl
        }
        comparisonId
      }
    }
    aiFeedbackRuleProblems {
      kind
      reason
      aiFeedbackRule {
        id
      }
    }
  }
`);

export const SimulateRuleDocument = graphql(`
  query SimulateRule($groupId: ID!, $rule: CreateAiFeedbackRuleInput!) {
    simulate(groupId: $groupId, rules: { add: [$rule] }, days: 30) {
      complete
      comparisonsCount
      alarmsThen
      alarmsNow
      vanishedCount
      vanished {
        id
        address
        device
        createdAt
        previewLink
      }
    }
  }
`);

export const CreateRule = graphql(`
  mutation CreateRule($input: CreateAiFeedbackRuleInput!) {
    createAiFeedbackRule(input: $input) {
      aiFeedbackRule {
        id
      }
    }
  }
`);

export const UpdateRule = graphql(`
  mutation UpdateRule($id: ID!, $input: UpdateAiFeedbackRuleInput!) {
    updateAiFeedbackRule(id: $id, input: $input) {
      aiFeedbackRule {
        id
        isActive
        scope
      }
    }
  }
`);

export const DeleteRule = graphql(`
  mutation DeleteRule($id: ID!) {
    deleteAiFeedbackRule(id: $id) {
      deletedAiFeedbackRuleId
    }
  }
`);

export type Rule = RulesQuery['aiFeedbackRules']['nodes'][number];
export type RuleProblem = RulesQuery['aiFeedbackRuleProblems'][number];
export type Simulated = SimulateRuleQuery['simulate'];
