import { securityHeaders } from '@/server/kernel/http/security-headers.mjs'
import type { Mount } from '../mount'

/** What git-lfs shows to whoever uses it here, over HTTP and over SSH. */
export const lfsNotSupported = 'Git LFS is not supported. Large files can be pushed as they are.'

const form = /^\/(?!-\/)[^/]+\/[^/]+\/info\/lfs(?:\/|$)/

/**
 * The API of Git LFS, below each address that a repository can have. It answers alike for every repository, also one that
 * is not there, in the media type without which git-lfs says that the repository was not found.
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
