import { randomUUID } from 'node:crypto'
import { domainErrorOf } from '@/server/kernel/domain-error-of'
import { errorTable, retryAfter } from '@/server/kernel/errors'
import { securityHeaders } from '@/server/kernel/http/security-headers'
import { listAuthorizedKeys } from '@/server/keys'
import { requestContext, type Services } from '@/server/services'

const headers = {
  ...securityHeaders,
  'Content-Type': 'text/plain; charset=utf-8',
  'Cache-Control': 'no-cache',
}

/** `/{username}.keys`: the keys of one person, a line each, as an authorized_keys file wants them. */
export async function keysText(services: Services, username: string): Promise<Response> {
  const ctx = requestContext(services, { requestId: randomUUID(), remoteAddress: '' })
  try {
    const lines = await listAuthorizedKeys(ctx, username)
    return new Response(lines.map(line => `${line}\n`).join(''), { headers })
  } catch (error) {
    const known = domainErrorOf(error, ctx)
    if (!known) throw error
    const { status } = errorTable[known.kind]
    return new Response(`${known.message}\n`, { status, headers: { ...headers, ...retryAfter(known) } })
  }
}
