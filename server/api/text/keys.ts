import { randomUUID } from 'node:crypto'
import { errorTable, isDomainError } from '@/server/kernel/errors'
import { securityHeaders } from '@/server/kernel/http/security-headers'
import { listKeyTexts } from '@/server/keys'
import { contextOf, type Services } from '../services'

const headers = {
  ...securityHeaders,
  'Content-Type': 'text/plain; charset=utf-8',
  'Cache-Control': 'no-cache',
}

/** `/{username}.keys`: the keys of one person, a line each, as an authorized_keys file wants them. */
export async function keysText(services: Services, username: string): Promise<Response> {
  try {
    const lines = await listKeyTexts(contextOf(services, randomUUID(), ''), username)
    return new Response(lines.map(line => `${line}\n`).join(''), { headers })
  } catch (error) {
    if (!isDomainError(error)) throw error
    return new Response(`${error.message}\n`, { status: errorTable[error.kind].status, headers })
  }
}
