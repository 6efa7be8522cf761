import { sql } from 'kysely'
import { securityHeaders } from '@/server/kernel/http/security-headers'
import type { Services } from '@/server/services'

const headers = { ...securityHeaders, 'Cache-Control': 'no-store' }

/** The process runs. */
export function alive(): Response {
  return Response.json({ status: 'ok' }, { headers })
}

/** The process can serve: it is not stopping, and the database answers within two seconds. */
export async function ready(services: Services): Promise<Response> {
  if (!services.accepting) return Response.json({ status: 'stopping' }, { status: 503, headers })
  const answered = await Promise.race([
    sql`select 1`.execute(services.database.db).then(
      () => true,
      () => false,
    ),
    new Promise<boolean>(resolve => setTimeout(resolve, 2000, false).unref()),
  ])
  if (answered) return Response.json({ status: 'ok' }, { headers })
  return Response.json({ status: 'database does not answer' }, { status: 503, headers })
}
