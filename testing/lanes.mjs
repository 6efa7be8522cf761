/**
 * Patterns of contract tests that also run on plain Next.js without Guildhall's HTTP server, because it
 * passes requests to the handlers in a different way.
 */
export const aboutMount = [
  'server/api/rest/contract/{answers,authentication-token,database-away,form-bodies,instance,internal-error}.test.ts',
  'server/api/rest/contract/{json-bodies,keys-text,large-bodies,link,openapi,paths,path-*,repos-rename}.test.ts',
  'server/api/artifact-rpc/contract/artifacts.test.ts',
  'server/api/runner-rpc/contract/transport.test.ts',
  'server/api/forms/contract/*.test.ts',
  'server/api/trpc/contract/{live,one-way-in,same-origin,sessions,set-up,sign-in,viewer}.test.ts',
]

/**
 * Patterns of contract tests that also run on the embedded database, because its single connection and its
 * collation can change their results.
 */
export const aboutEngine = [
  'server/api/git/contract/recovery.test.ts',
  'server/api/rest/contract/{credentials,deploy-keys,teams}-concurrently.test.ts',
  'server/api/rest/contract/{*-list,*-search,deleted-meanwhile,orgs-members,pagination,repos-create}.test.ts',
  'server/api/trpc/contract/{live,sessions,set-up,teams,token-expiry}.test.ts',
]

/**
 * Patterns of contract tests that also run on the embedded database under plain Next.js, because only the
 * combination can break them.
 */
export const aboutBoth = ['server/api/trpc/contract/set-up.test.ts']
