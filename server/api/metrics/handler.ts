import { createHash, timingSafeEqual } from 'node:crypto'
import { observeBackups } from '@/server/backups'
import { readOnly } from '@/server/kernel/http/call'
import { securityHeaders } from '@/server/kernel/http/security-headers.mjs'
import type { Mount } from '../mount'

/** Mount of `/metrics` for Prometheus. It must be turned on, and requires its token if one is set. */
export const metricsMount: Mount = {
  name: 'metrics',
  match: path => path === '/metrics',
  createHandler: ({ db, config, metrics, log }) =>
    readOnly(async call => {
      if (!config.metrics) {
        const body = 'metrics are off; start the server with GUILDHALL_METRICS=on\n'
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
      await observeBackups({ db, metrics }).catch((error: Error) => {
        log.debug({ reason: error.message }, 'the metrics of backups are out of date')
      })
      return { status: 200, headers, body: await metrics.read() }
    }),
}

const plainText = { ...securityHeaders, 'Content-Type': 'text/plain;charset=UTF-8' }

// Compares digests, because both sides must have the same length.
function isBearer(authorization: string | null, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(authorization ?? ''), digest(`Bearer ${token}`))
}
