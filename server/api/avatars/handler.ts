import { readOnly } from '@/server/kernel/http/call'
import { securityHeaders } from '@/server/kernel/http/security-headers.mjs'
import type { Mount } from '../mount'
import { identicon } from './identicon'

/** Mount of `/avatars/{id}`: a picture computed from the ID alone, which never changes. */
export const avatarsMount: Mount = {
  name: 'avatars',
  match: path => /^\/avatars\/[^/]+\/?$/.test(path),
  createHandler: () =>
    readOnly(async ({ path }) => {
      const id = /^\/avatars\/(\d{1,15})\/?$/.exec(path)?.[1]
      if (id === undefined) return { status: 404, headers: plainText, body: 'no such picture\n' }
      return { status: 200, headers: picture, body: identicon(id) }
    }),
}

const plainText = { ...securityHeaders, 'Content-Type': 'text/plain;charset=UTF-8' }
const picture = {
  ...securityHeaders,
  'Content-Type': 'image/svg+xml',
  'Cache-Control': 'public, max-age=604800',
  'Content-Security-Policy': "default-src 'none'",
}
