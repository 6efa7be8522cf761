import { createHash, timingSafeEqual } from 'node:crypto'
import { readOnly } from '@/server/kernel/http/call'
import { securityHeaders } from '@/server/kernel/http/security-headers.mjs'
import type { Mount } from '../mount'

/** `/metrics` for Prometheus, where it is switched on, and for those who send its token, where one is set. */
export const metricsMount: Mount = {
  name: 'metrics',
  match: path => path === '/metrics',
  createHandler: ({ config, metrics }) =>
    readOnly(async call => {
      if (!config.metrics) {
        const body = 'metrics are off; start with GUILDHALL_METRICS=on\n'
        return { status: 404, headers: plainText, body }
      }
      if (config.metricsToken && !isBearer(call.headers.get('authorization'), config.metricsToken)) {
        const headers = { ...plainText, 'WWW-Authenticate': 'Bearer realm="metrics"' }
        return { status: 401, headers, body: 'send the token as Authorization: Bearer <token>\n' }
      }
      const headers = {
        ...securityHeaders,
        'Content-Type': metrics.contentType,
        'Cache-Control': 'no-store',
      }
      return { status: 200, headers, body: await metrics.read() }
    }),
}

const plainText = { ...securityHeaders, 'Content-Type': 'text/plain;charset=UTF-8' }

// Digests, as the comparison wants both of one length.
function isBearer(authorization: string | null, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(authorization ?? ''), digest(`Bearer ${token}`))
}
