import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type pg from 'pg'

const listSql = `select id, title, content, fingerprint, type, mode, created_at, last_used_at, count(*) over () as total
  from public_keys where owner_id = $1 and type <> 'principal' order by id limit 30`
const addSql = `insert into public_keys (owner_id, title, content, fingerprint) values ($1, $2, $3, $4)
  returning id, title, content, fingerprint, type, mode, created_at, last_used_at`

/**
 * Returns the baseline server for API calls. It lists and adds SSH keys using only node:http, pg and JSON.
 */
export function bareServer(pool: pg.Pool): ReturnType<typeof createServer> {
  return createServer((request, response) => {
    answer(pool, request, response).catch(error => response.writeHead(500).end(String(error)))
  })
}

async function answer(pool: pg.Pool, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const secret = request.headers.authorization?.split(' ')[1] ?? ''
  const hash = createHash('sha256').update(secret).digest()
  const holder = await pool.query(
    'select u.* from access_tokens t join users u on u.id = t.user_id where t.token_hash = $1',
    [hash],
  )
  const user = holder.rows[0]
  if (!user) return void response.writeHead(401).end()
  if (request.method === 'POST') return await add(pool, user, request, response)
  const { rows } = await pool.query(listSql, [user.id])
  const owner = shownOwner(user)
  send(
    response,
    200,
    rows.map(row => shownKey(row, owner)),
  )
}

async function add(
  pool: pg.Pool,
  user: Record<string, unknown>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const { title, key } = JSON.parse(Buffer.concat(chunks).toString())
  const blob = Buffer.from(key.split(' ')[1], 'base64')
  const fingerprint = `SHA256:${createHash('sha256').update(blob).digest('base64')}`
  const { rows } = await pool.query(addSql, [user.id, title, key, fingerprint])
  send(response, 201, shownKey(rows[0], shownOwner(user)))
}

function send(response: ServerResponse, status: number, body: unknown): void {
  const headers = { 'Content-Type': 'application/json', 'X-Request-Id': randomUUID() }
  response.writeHead(status, headers).end(JSON.stringify(body))
}

// Responses have the same size as Guildhall's, so that only the work behind them differs.
function shownKey(row: Record<string, unknown>, user: object): object {
  return {
    id: row.id,
    key: row.content,
    url: `http://127.0.0.1/api/v1/user/keys/${row.id}`,
    title: row.title,
    fingerprint: row.fingerprint,
    created_at: row.created_at,
    last_used_at: row.last_used_at ?? row.created_at,
    user,
    read_only: row.mode === 'read',
    key_type: row.type,
  }
}

function shownOwner(user: Record<string, unknown>): object {
  const { password_hash: _, name, ...rest } = user
  return {
    ...rest,
    login: name,
    username: name,
    followers_count: 0,
    following_count: 0,
    starred_repos_count: 0,
  }
}
