import { setTimeout as delay } from 'node:timers/promises'
import { type Db, openDatabase } from '@/db/client'
import { addToTeam, makeOrg, makeTeam, makeUser } from '@/db/testing/factories'
import { withTransaction } from '@/db/transaction'
import { recordEvents } from '@/server/events'
import { tokenFor } from '../seed'
import { type ServerData, type ServerProcess, startServer } from '../server-process'

/** A site with an organization whose hooks are told of who is in one of its teams. */
export interface Site {
  /** Open on a server alone; the embedded database is the site's. */
  db: Db
  /** Adds a hook to an URL; what it returns deletes it. */
  addHook(url: string): Promise<() => Promise<void>>
  /** Records so many events in one transaction, and gives the time of its commit. On a server alone. */
  recordMany(count: number): Promise<number>
  /** Makes events one by one, each so many milliseconds after the one before. */
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
  // In another team too, so that nobody leaves the organization: one event with each call.
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
      // What another process records the site finds by and by; what it records itself wakes it.
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
