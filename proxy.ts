import { type NextRequest, NextResponse } from 'next/server'
import { pathHeader } from './app/_lib/paths'
import { absentHeader, notFoundPath } from './server/kernel/http/absent-header'

/** Gives every page its own content security policy; Next puts the nonce on the scripts it writes. */
export function proxy(request: NextRequest): NextResponse {
  // 128 random bits. Pages repeat it, so it is not longer.
  const nonce = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))))
  const policy = contentSecurityPolicy(nonce)
  const headers = new Headers(request.headers)
  headers.set('Content-Security-Policy', policy)
  headers.set('X-Nonce', nonce)
  const { pathname, search } = request.nextUrl
  const absent = pathname === notFoundPath ? headers.get(absentHeader) : null
  headers.delete(absentHeader)
  headers.set(pathHeader, absent ?? pathname + search)
  const response = NextResponse.next({ request: { headers } })
  response.headers.set('Content-Security-Policy', policy)
  return response
}

function contentSecurityPolicy(nonce: string): string {
  // React rebuilds server stacks with eval while developing.
  const development = process.env.NODE_ENV === 'development' ? " 'unsafe-eval'" : ''
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${development}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "object-src 'none'",
  ].join('; ')
}

// Pages only: a request that passes here loses what its body has beyond 10 MB. Next wants a literal, so every mount of
// `server/api/mounts.ts` is listed by hand; a test compares the two. Names of people may hold dots, so what is not a page
// is named instead of recognized by an extension.
export const config = {
  matcher: [
    '/((?!api(?:/|$)|v2(?:/|$)|twirp(?:/|$)|_next/static/|_next/image|avatars/|-/user-keys/|-/forms/|-/artifacts/|-/admin/events\\.(?:csv|jsonl)$|assets/|healthz/?$|readyz/?$|metrics$|[^/]+\\.keys/?$|(?!-/)[^/]+/[^/]+/archive/.|attachments/[^/]+$|(?!-/)[^/]+/[^/]+/(?:releases/)?attachments/[^/]+$|(?!-/)[^/]+/[^/]+/releases/(?:download/.+|latest/download)/[^/]+$|(?!-/)[^/]+/[^/]+/actions/artifacts/[^/]+/(?:download$|view$|files/.)|(?!-/)[^/]+/[^/]+/actions/jobs/[^/]+/logs/?$|(?!-/)[^/]+/[^/]+/info/lfs(?:/|$)|[^/]+/[^/]+/(?:info/refs|git-upload-pack|git-receive-pack|HEAD|objects/(?:info|pack|[0-9a-f]{2})/[^/]+)$).*)',
    '/api/docs',
  ],
}
