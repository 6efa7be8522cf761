import { type NextRequest, NextResponse } from 'next/server'
import { ownAddress } from './server/kernel/http/gitea-addresses'
import { pageHeaders, policyHeader } from './server/kernel/http/page-headers'

/**
 * Does for plain Next what our own server does itself (server/http/pages.ts), because passing a proxy takes a
 * tenth of a page's time: redirects from Gitea's addresses, and gives every page its own content security
 * policy. Next puts the nonce on the scripts it writes.
 */
export function proxy(request: NextRequest): NextResponse {
  const { pathname, search, searchParams } = request.nextUrl
  const moved = ownAddress(pathname, searchParams)
  if (moved) return NextResponse.redirect(new URL(moved, request.url))
  const headers = new Headers(request.headers)
  const added = pageHeaders(pathname + search)
  for (const [name, value] of Object.entries(added)) headers.set(name, value)
  const response = NextResponse.next({ request: { headers } })
  response.headers.set('Content-Security-Policy', added[policyHeader])
  return response
}

// Pages only: a request that passes here loses what its body has beyond 10 MB. Next wants a literal, so every mount of
// `server/api/mounts.ts` is listed by hand; a test compares the two. Names of people may hold dots, so what is not a page
// is named instead of recognized by an extension. Requests that our own server passes on have the header of
// `pathHeader` already.
export const config = {
  matcher: [
    {
      source:
        '/((?!api(?:/|$)|v2(?:/|$)|twirp(?:/|$)|_next/static/|_next/image|avatars/|-/user-keys/|-/forms/|-/artifacts/|-/admin/events\\.(?:csv|jsonl)$|assets/|healthz/?$|readyz/?$|metrics$|[^/]+\\.keys/?$|(?!-/)[^/]+/[^/]+/archive/.|(?!-/)[^/]+/[^/]+/(?:raw|media)/.|(?!-/)[^/]+/[^/]+/(?:commit|compare)/.+\\.(?:diff|patch)$|attachments/[^/]+$|(?!-/)[^/]+/[^/]+/(?:releases/)?attachments/[^/]+$|(?!-/)[^/]+/[^/]+/releases/(?:download/.+|latest/download)/[^/]+$|(?!-/)[^/]+/[^/]+/actions/artifacts/[^/]+/(?:download$|view$|files/.)|(?!-/)[^/]+/[^/]+/actions/workflows/[^/]+/badge\\.svg$|(?!-/)[^/]+/[^/]+/actions/jobs/[^/]+/logs/?$|(?!-/)[^/]+/[^/]+/info/lfs(?:/|$)|[^/]+/[^/]+/(?:info/refs|git-upload-pack|git-receive-pack|HEAD|objects/(?:info|pack|[0-9a-f]{2})/[^/]+)$).*)',
      missing: [{ type: 'header', key: 'x-guildhall-path' }],
    },
    { source: '/api/docs', missing: [{ type: 'header', key: 'x-guildhall-path' }] },
  ],
}
