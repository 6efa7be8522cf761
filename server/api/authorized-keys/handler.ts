import { notFound } from '@/server/kernel/errors'
import { readOnly } from '@/server/kernel/http/call'
import { explainError } from '@/server/kernel/http/explain'
import { securityHeaders } from '@/server/kernel/http/security-headers.mjs'
import { pathText } from '@/server/kernel/wire'
import { listAuthorizedKeys } from '@/server/keys'
import { requestContext } from '@/server/services'
import type { Mount } from '../mount'

// Plain Next rewrites the first to the second.
const form = /^\/(?:([^/]+)\.keys|-\/user-keys\/([^/]+?))\/?$/

/** Mount of `/{username}.keys`: a person's public SSH keys, one per line, as an authorized_keys file contains them. */
export const authorizedKeysMount: Mount = {
  name: 'keys-text',
  match: path => form.test(path),
  createHandler: services =>
    readOnly(async ({ path }, connection) => {
      const [, direct, rewritten = ''] = form.exec(path) ?? []
      const ctx = requestContext(services, connection)
      try {
        const name = pathText.safeParse(direct ?? rewritten)
        if (!name.success) throw notFound()
        const lines = await listAuthorizedKeys(ctx, name.data)
        return { status: 200, headers, body: lines.map(line => `${line}\n`).join('') }
      } catch (error) {
        const { status, message, retryAfter } = explainError(error, ctx)
        return { status, headers: { ...headers, ...retryAfter }, body: `${message}\n` }
      }
    }),
}

const headers = {
  ...securityHeaders,
  'Content-Type': 'text/plain; charset=utf-8',
  'Cache-Control': 'no-cache',
}
