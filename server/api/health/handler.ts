import { sql } from 'kysely'
import { type Answer, readOnly } from '@/server/kernel/http/call'
import { securityHeaders } from '@/server/kernel/http/security-headers'
import type { Services } from '@/server/services'
import type { Mount } from '../mount'

/** `/healthz`: the process runs. `/readyz`: it can serve. */
export const healthMount: Mount = {
  name: 'health',
  match: path => /^\/(healthz|readyz)\/?$/.test(path),
  createHandler: services =>
    readOnly(async ({ path }) => (path.startsWith('/readyz') ? await ready(services) : answerOf(200, 'ok'))),
}

/** Answers 200 unless the process is stopping or the database does not answer within two seconds. */
async function ready(services: Services): Promise<Answer> {
  if (!services.accepting) return answerOf(503, 'stopping')
  const answered = await Promise.race([
    sql`select 1`.execute(services.database.db).then(
      () => true,
      () => false,
    ),
    new Promise<boolean>(resolve => setTimeout(resolve, 2000, false).unref()),
  ])
  return answered ? answerOf(200, 'ok') : answerOf(503, 'database does not answer')
}

const headers = { ...securityHeaders, 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }

const answerOf = (code: number, status: string): Answer => ({
  status: code,
  headers,
  body: JSON.stringify({ status }),
})
