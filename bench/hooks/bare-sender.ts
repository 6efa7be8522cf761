import { createHmac } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { Agent, request } from 'undici'
import { openDatabase } from '@/db/client'

// The baseline for webhook deliveries: reads existing deliveries from the database, signs them, sends them
// again over eight connections per host, and records the response statuses.
const [first, last] = process.argv.slice(2).map(Number)
const { pool, close } = await openDatabase({
  databaseUrl: process.env.DATABASE_URL,
  dataDir: '',
  migrate: false,
})
const dispatcher = new Agent({ connections: 8 })
const portion = 200
const readSql = `select d.id, d.uuid, d.target, p.body from hook_deliveries d join hook_payloads p on p.id = d.payload_id
  where d.id > $1 and d.id <= $2 order by d.id limit ${portion}`
const noteSql = `update hook_deliveries d set last_status = r.status
  from unnest($1::bigint[], $2::integer[]) as r (id, status) where d.id = r.id`

interface Row {
  id: number
  uuid: string
  target: string
  body: Buffer
}

const begun = performance.now()
let sent = 0
let noted: Promise<unknown> | undefined
let next = read(first!)
for (let rows = await next; rows.length > 0; rows = await next) {
  next = read(rows.at(-1)!.id)
  const statuses = await Promise.all(rows.map(send))
  sent += rows.length
  await noted
  noted = pool.query(noteSql, [rows.map(({ id }) => id), statuses])
}
await noted
process.send?.((1000 * sent) / (performance.now() - begun))
await dispatcher.close()
await close()

async function read(above: number): Promise<Row[]> {
  const { rows } = await pool.query<Row>(readSql, [above, last])
  return rows
}

async function send({ uuid, target, body: zipped }: Row): Promise<number> {
  const body = gunzipSync(zipped)
  const headers = {
    'content-type': 'application/json',
    'webhook-id': uuid,
    'x-hub-signature-256': `sha256=${createHmac('sha256', 'bench').update(body).digest('hex')}`,
  }
  const answer = await request(`http://${target}/`, { dispatcher, method: 'POST', headers, body })
  await answer.body.dump()
  return answer.statusCode
}
