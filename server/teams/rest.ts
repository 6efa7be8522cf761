/** OpenAPI tag and token scopes of all team endpoints. */
export const team = { tag: 'organization', scopes: ['organization'] } as const
export const done = { ...team, status: 204 } as const
export const noSuchTeam =
  'The team does not exist or belongs to an organization that you are not a member of.'
export const notInTeam = { 403: 'You are a member of the organization but not of the team.', 404: noSuchTeam }
