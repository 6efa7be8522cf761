/** What the endpoints of teams share in the OpenAPI document. */
export const team = { tag: 'organization', scopes: ['organization'] } as const
export const done = { ...team, status: 204 } as const
export const noSuchTeam = 'No such team, or not of an organization of yours.'
export const notInTeam = { 403: 'You are in the organization, but not in the team.', 404: noSuchTeam }
