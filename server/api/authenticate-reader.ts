import { authenticate, authenticateAnyone } from '@/server/auth/authenticate'
import { requireScope } from '@/server/auth/require-scope'
import type { ServiceCtx } from '@/server/kernel/ctx'
import type { Call } from '@/server/kernel/http/call'
import { queryToken } from '@/server/kernel/http/query-token'

/**
 * Finds who reads from a repository. The site accepts the session cookie; the API does not, but takes a token in the
 * query and sudo.
 * @throws {DomainError} as `authenticate`, and forbidden for a token that may not read repositories.
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
