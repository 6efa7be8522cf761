import { authenticate, authenticateAnyone } from '@/server/auth/authenticate'
import { requireScope } from '@/server/auth/require-scope'
import type { ServiceCtx } from '@/server/kernel/ctx'
import type { Call } from '@/server/kernel/http/call'
import { queryToken } from '@/server/kernel/http/query-token'

/**
 * Authenticates the caller of a request that reads from a repository, and returns the context with the
 * caller. The website accepts the session cookie. The API does not, but accepts a token in the query string
 * and Sudo.
 * @throws {DomainError} the errors of `authenticate`, and forbidden if the token has no repository scope.
 */
export async function authenticateReader(
  base: ServiceCtx,
  { headers, query }: Pick<Call, 'headers' | 'query'>,
  { isApi }: { isApi: boolean },
): Promise<ServiceCtx> {
  const authorization = headers.get('authorization')
  const parameters = new URLSearchParams(query)
  const caller = await (isApi
    ? authenticate(base, {
        authorization,
        queryToken: queryToken(parameters),
        sudo: headers.get('sudo') ?? parameters.get('sudo'),
      })
    : authenticateAnyone(base, { authorization, cookie: headers.get('cookie') }))
  requireScope(caller, { level: 'read', categories: ['repository'] })
  return { ...base, caller }
}
