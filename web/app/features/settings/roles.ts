/** What a person may be in an account, from the most rights to the least. */
export const roles = ['OWNER', 'EDITOR', 'REVIEWER', 'VIEWER'] as const;
