/** Files about what plain Next, which passes requests to the same handlers in its own way, could spoil. */
export const aboutMount = [
  'server/api/rest/contract/{answers,authentication-token,database-away,form-bodies,instance,internal-error}.test.ts',
  'server/api/rest/contract/{json-bodies,keys-text,large-bodies,link,openapi,paths,path-*,repos-rename}.test.ts',
  'server/api/artifact-rpc/contract/artifacts.test.ts',
  'server/api/runner-rpc/contract/transport.test.ts',
  'server/api/forms/contract/*.test.ts',
  'server/api/trpc/contract/{live,one-way-in,same-origin,sessions,set-up,sign-in,viewer}.test.ts',
]

/** Files about what the embedded database could spoil, with its one connection and its own collation. */
export const aboutEngine = [
  'server/api/git/contract/recovery.test.ts',
  'server/api/rest/contract/{credentials,deploy-keys,teams}-concurrently.test.ts',
  'server/api/rest/contract/{*-list,*-search,deleted-meanwhile,orgs-members,pagination,repos-create}.test.ts',
  'server/api/trpc/contract/{live,sessions,set-up,teams,token-expiry}.test.ts',
]

/** Files about what only the embedded database under plain Next could spoil. */
export const aboutBoth = ['server/api/trpc/contract/set-up.test.ts']
