import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Db, openDatabase } from '@/db/client'
import { createServerDatabase } from '@/db/testing/server-template'
import { adminToken } from './api'
import { adminEnvironment, dataDirectory, temporaryDirectory } from './guildhall'

/** A test site without organizations: the environment of its processes, and access to its database. */
export interface TestSite extends AsyncDisposable {
  environment: Record<string, string>
  /** Opens the database for a short time. An embedded database can be opened only while no process runs. */
  inDatabase<T>(look: (db: Db) => Promise<T>): Promise<T>
}

const environment = { ...adminEnvironment, GUILDHALL_WEBHOOK_ALLOWED_HOSTS: 'loopback' }

export async function siteOnPostgres(serverUrl: string): Promise<TestSite> {
  const directory = await temporaryDirectory()
  const { url: databaseUrl, drop } = await createServerDatabase(serverUrl)
  const dataDir = join(directory.path, 'data')
  return {
    environment: { ...environment, DATABASE_URL: databaseUrl, GUILDHALL_DATA_DIR: dataDir },
    inDatabase: look => lookInto({ databaseUrl, dataDir }, look),
    async [Symbol.asyncDispose]() {
      await drop()
      await directory[Symbol.asyncDispose]()
    },
  }
}

export async function embeddedSite(): Promise<TestSite> {
  const directory = await dataDirectory()
  return {
    environment: { ...environment, GUILDHALL_DATA_DIR: directory.path },
    inDatabase: look => lookInto({ dataDir: directory.path }, look),
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  }
}

async function lookInto<T>(
  where: { databaseUrl?: string; dataDir: string },
  look: (db: Db) => Promise<T>,
): Promise<T> {
  const { db, close } = await openDatabase({ ...where, migrate: false })
  try {
    return await look(db)
  } finally {
    await close()
  }
}

/**
 * Makes all leases and scheduled attempts a minute older, as if a minute had passed. This is the duration of
 * a lease.
 */
export async function letAMinutePass(db: Db): Promise<void> {
  await sql`update event_outbox set leased_until = leased_until - interval '1 minute'`.execute(db)
  await sql`update hook_deliveries
    set leased_until = leased_until - interval '1 minute', next_attempt_at = next_attempt_at - interval '1 minute'
    where status = 'pending'`.execute(db)
}

/** Client of one process's API, authenticated as the administrator. */
export interface Api {
  url: string
  token: string
  call<T>(method: string, path: string, body?: object): Promise<{ status: number; body: T }>
}

export function apiOf(url: string, token: string): Api {
  return {
    url,
    token,
    async call(method, path, body) {
      const response = await fetch(`${url}/api/v1${path}`, {
        method,
        headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
    },
  }
}

export const secret = 'what only the receivers know of'

/** Creates the organization `acme` with a webhook for all events to each of these URLs. */
export async function makeOrganization(url: string, addresses: readonly string[]): Promise<Api> {
  const api = apiOf(url, await adminToken(url))
  const events = ['push', 'create', 'repository', 'team', 'membership']
  const made = [await api.call('POST', '/orgs', { username: 'acme' })]
  for (const address of addresses) {
    const config = { url: address, content_type: 'json', secret }
    made.push(await api.call('POST', '/orgs/acme/hooks', { type: 'gitea', config, events, active: true }))
  }
  const refused = made.find(({ status }) => status !== 201)
  if (refused) throw new Error(JSON.stringify(refused))
  return api
}

/** Creates a team, which records an event. Returns its name and the status and ID from the response. */
export async function makeTeam(api: Api): Promise<{ name: string; status: number; id: number }> {
  const name = `team-${randomBytes(6).toString('hex')}`
  const team = { name, permission: 'read', units: ['repo.code'] }
  const { status, body } = await api.call<{ id: number }>('POST', '/orgs/acme/teams', team)
  return { name, status, id: body.id }
}

/** Waits until all deliveries of every event have been created and delivered. */
export async function untilDelivered(api: Api): Promise<void> {
  const settled = new Set<number>()
  for (const deadline = Date.now() + 60_000; ; await delay(50)) {
    const events = await hookEvents(api)
    for (const { id } of events) if (!settled.has(id) && (await isSettled(api, id))) settled.add(id)
    if (events.every(({ id }) => settled.has(id))) return
    if (Date.now() > deadline) throw new Error(`${events.length - settled.size} events still wait`)
  }
}

interface HookEvent {
  id: number
  state: string
  considered: { delivery: { status: string } | null }[]
}

async function hookEvents(api: Api): Promise<HookEvent[]> {
  const events: HookEvent[] = []
  for (let cursor = ''; ; cursor = `&cursor=${events.at(-1)?.id}`) {
    const page = await api.call<HookEvent[]>('GET', `/orgs/acme/hooks/events?limit=50${cursor}`)
    events.push(...page.body)
    if (page.body.length < 50) return events
  }
}

async function isSettled(api: Api, id: number): Promise<boolean> {
  const { body } = await api.call<HookEvent>('GET', `/orgs/acme/hooks/events/${id}`)
  if (body.state === 'waiting') return false
  return body.considered.every(({ delivery }) => delivery === null || delivery.status === 'delivered')
}
