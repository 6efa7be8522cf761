import { securityHeaders } from '@/server/kernel/http/security-headers.mjs'
import type { Mount } from '../mount'

/** Message that git-lfs shows to people, over HTTP and SSH. */
export const lfsNotSupported = 'Git LFS is not supported. Large files can be pushed without it.'

const form = /^\/(?!-\/)[^/]+\/[^/]+\/info\/lfs(?:\/|$)/

/**
 * Mount of the Git LFS API, which is not supported, below each path that a repository can have. It responds alike for
 * existing and missing repositories, in the media type without which git-lfs would report that the repository was not
 * found.
 */
export const lfsMount: Mount = {
  name: 'lfs',
  match: path => form.test(path),
  createHandler: () => async () => ({
    status: 404,
    headers,
    body: JSON.stringify({ message: lfsNotSupported }),
  }),
}

const headers = {
  ...securityHeaders,
  'Content-Type': 'application/vnd.git-lfs+json',
  'Cache-Control': 'no-cache',
}
