import { setTimeout as delay } from 'node:timers/promises'
import { type Db, openDatabase } from '@/db/client'
import { addToTeam, makeOrg, makeTeam, makeUser } from '@/db/testing/factories'
import { withTransaction } from '@/db/transaction'
import { recordEvents } from '@/server/events'
import { tokenFor } from '../seed'
import { type ServerData, type ServerProcess, startServer } from '../server-process'

/**
 * A running server with an organization whose webhooks receive the membership changes of one of its teams.
 */
export interface Site {
  /** A database connection. On the embedded database, it is closed while the server runs. */
  db: Db
  /** Adds a webhook with this URL. Returns a function that deletes the webhook. */
  addHook(url: string): Promise<() => Promise<void>>
  /** Records this many events in one transaction and returns the time of its commit. Requires PostgreSQL. */
  recordMany(count: number): Promise<number>
  /** Creates this many events one by one through the API, starting one every `everyMs` milliseconds. */
  makeSome(count: number, everyMs: number): Promise<void>
  stop(): Promise<void>
}

const memberCount = 50

export async function startSite(data: ServerData, port: number): Promise<Site> {
  const { db, close } = await openDatabase(data)
  const owner = await makeUser(db)
  const token = await tokenFor(db, owner.id)
  const org = await makeOrg(db, owner.id)
  const team = await makeTeam(db, org.id)
  const members: { id: number; name: string }[] = []
  for (let count = 0; count < memberCount; count++) members.push(await makeUser(db))
  // Members are also in another team, so that leaving the first team does not remove them from the
  // organization, and each call creates exactly one event.
  const others = await makeTeam(db, org.id)
  for (const { id } of members) await addToTeam(db, others, id)
  if (!data.databaseUrl) await close()
  const server = await startServer('dist/main.js', port, data, {
    GUILDHALL_WEBHOOK_ALLOWED_HOSTS: 'loopback',
  })
  const call = caller(server, token)
  let turn = 0

  async function makeOne(): Promise<void> {
    const { name } = members[turn % memberCount]!
    const method = Math.floor(turn / memberCount) % 2 === 0 ? 'PUT' : 'DELETE'
    turn += 1
    await call(method, `/teams/${team.id}/members/${name}`)
  }

  return {
    db,
    async addHook(url) {
      const config = { url, content_type: 'json', secret: 'bench' }
      const hook = { type: 'gitea', active: true, events: ['membership'], config }
      const { id } = (await call('POST', `/orgs/${org.name}/hooks`, hook)) as { id: number }
      return async () => void (await call('DELETE', `/orgs/${org.name}/hooks/${id}`))
    },
    async recordMany(count) {
      const origin = { actorId: owner.id, remoteAddress: '', requestId: '' }
      const events = Array.from({ length: count }, (_, at) => {
        const { id: memberId, name: member } = members[at % memberCount]!
        const facts = { teamId: team.id, team: team.name, memberId, member }
        return { kind: 'team.member_added' as const, ownerId: org.id, facts }
      })
      await withTransaction(db, trx => recordEvents(trx, origin, events))
      const committed = performance.timeOrigin + performance.now()
      // The server finds events that another process records only at its next poll. An event of its own makes
      // it look immediately.
      await makeOne()
      return committed
    },
    async makeSome(count, everyMs) {
      const begun = performance.now()
      for (let at = 0; at < count; at++) {
        await delay(Math.max(0, begun + at * everyMs - performance.now()))
        await makeOne()
      }
    },
    async stop() {
      await server.stop()
      if (data.databaseUrl) await close()
    },
  }
}

function caller({ url }: ServerProcess, token: string) {
  return async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${response.status} for ${method} ${path}: ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }
}
