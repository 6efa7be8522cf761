import { findTroubles } from '@/server/health/checks'
import { type Answer, readOnly } from '@/server/kernel/http/call'
import { securityHeaders } from '@/server/kernel/http/security-headers.mjs'
import type { Services } from '@/server/services'
import type { Mount } from '../mount'

/** Mount of `/healthz`, which says that the process runs, and `/readyz`, which says that it can serve. */
export const healthMount: Mount = {
  name: 'health',
  match: path => /^\/(healthz|readyz)\/?$/.test(path),
  createHandler: services =>
    readOnly(async ({ path }) => (path.startsWith('/readyz') ? await ready(services) : answerOf(200, 'ok'))),
}

/** Returns 200 unless the process is stopping or cannot serve, and says why. */
async function ready(services: Services): Promise<Answer> {
  if (!services.accepting) return answerOf(503, 'stopping')
  if (services.warming) return answerOf(503, 'starting')
  const troubles = await findTroubles(services)
  return troubles.length === 0 ? answerOf(200, 'ok') : answerOf(503, troubles.join('; '))
}

const headers = { ...securityHeaders, 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }

const answerOf = (code: number, status: string): Answer => ({
  status: code,
  headers,
  body: JSON.stringify({ status }),
})
