import { createHmac, randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import type { Db } from '@/db/client'
import { startPostgres } from '@/db/testing/postgres-server'
import { git, gitOk } from '@/testing/git'
import { openReceiver, type Received, type Receiver } from '@/testing/receiver'
import { isSlow, series } from '@/testing/series'
import { admin, start, temporaryDirectory } from './guildhall'
import {
  type Api,
  apiOf,
  embeddedSite,
  makeOrganization,
  makeTeam,
  secret,
  siteOnPostgres,
  type TestSite,
  untilDelivered,
} from './hooks'

const postgres = isSlow ? await startPostgres() : undefined
afterAll(() => postgres?.stop())

interface Storm {
  kills: number
  receivers: number
}

// Maximum number of concurrent deliveries to one receiver.
const maxInFlight = 8
// Number of requests to which each receiver responds after each start. Without responses, an account gets
// only few concurrent deliveries to a target.
const concurrentAnswers = maxInFlight / 2
// If too few deliveries are in flight after this time, the receivers respond to all and start over. On a busy
// host, the first delivery would otherwise time out before, and a target that never responds gets only one
// concurrent delivery.
const timeoutMs = 6_000
// Minimum number of events acknowledged before each kill; more are created until the kill.
const events = 8

it.skipIf(!postgres)(
  'every acknowledged event is delivered even if the process is killed 6 times with 200 deliveries in flight',
  { tags: 'slow', timeout: 240_000 },
  async () => {
    await using site = await siteOnPostgres(postgres!.url)
    await survive(site, { kills: 6, receivers: 25 })
  },
)

it('every acknowledged event is delivered even if the process with the embedded database is killed', {
  tags: 'series',
}, async () => {
  await using site = await embeddedSite()
  await survive(site, { kills: series(1, 2), receivers: series(5, 10) })
})

async function survive(site: TestSite, { kills, receivers: count }: Storm): Promise<void> {
  await using directory = await temporaryDirectory()
  const local = join(directory.path, 'local')
  await gitOk(['init', '-q', '-b', 'main', local])
  const receivers = await Promise.all(Array.from({ length: count }, openReceiver))
  const watched = watch(receivers)
  const acknowledged = new Set<string>()
  let token = ''
  for (let kill = 0; kill < kills; kill++) {
    watched.hold()
    const guildhall = await start(site.environment)
    if (kill === 0) token = await setUp(guildhall.url, receivers)
    const api = apiOf(guildhall.url, token)
    const soon = acknowledged.size + events
    const killed = new AbortController()
    const make = (change: () => AsyncGenerator<string>) =>
      makeUntilDead(killed.signal, soon, acknowledged, change)
    const making = Promise.all([
      make(() => changeTeams(api)),
      make(() => changeTeams(api)),
      make(() => pushCommit(api, local)),
    ])
    const isReady = (): boolean =>
      watched.held() >= count * maxInFlight && acknowledged.size >= soon && hasPush(acknowledged)
    for (let since = Date.now(); !isReady(); await Promise.race([delay(10), making])) {
      if (Date.now() - since < timeoutMs) continue
      watched.answerHeldAndHold()
      since = Date.now()
    }
    // Half of the kills come before the receivers respond to the deliveries in flight, the others at a random
    // time after they begin to respond.
    if (kill % 2 === 1) {
      watched.answerHeld()
      await delay(Math.random() * 250)
    }
    killed.abort()
    await guildhall.end('SIGKILL')
    await making
  }
  watched.answerAll()
  const survivor = await start(site.environment)
  await untilDelivered(apiOf(survivor.url, token))
  expect(await survivor.end('SIGTERM')).toBe(0)
  for (const receiver of receivers) await receiver.close()

  const deliveries = await site.inDatabase(readDeliveries)
  expect(new Set(deliveries.map(({ status }) => status))).toEqual(new Set(['delivered']))
  const arrived = receivers.map(
    (_, at) => new Set(watched.got.filter(call => call.receiver === at).map(eventIn)),
  )
  expect(acknowledged.size).toBeGreaterThanOrEqual(kills * events)
  for (const known of arrived) expect([...acknowledged].filter(event => !known.has(event))).toEqual([])
  expectOneOfEachEvent(deliveries, count)
  expectSameEachTime(watched.got)
  const answered = watched.got.filter(call => call.isAnswered).map(call => call.uuid)
  const uuids = deliveries.map(({ uuid }) => uuid).sort()
  // The deliveries with a successful response are exactly the recorded ones, and no unrecorded delivery
  // arrived.
  expect([...new Set(answered)].sort()).toEqual(uuids)
  expect(new Set(watched.got.map(({ uuid }) => uuid))).toEqual(new Set(uuids))
}

async function setUp(url: string, receivers: readonly Receiver[]): Promise<string> {
  const addresses = receivers.map(receiver => receiver.url)
  const api = await makeOrganization(url, addresses)
  const { status } = await api.call('POST', '/orgs/acme/repos', { name: 'tools' })
  expect(status).toBe(201)
  return api.token
}

const hasPush = (events: Set<string>): boolean => [...events].some(event => event.startsWith('push '))

/** Creates events until the process is killed, and more slowly once enough are acknowledged. */
async function makeUntilDead(
  killed: AbortSignal,
  soon: number,
  acknowledged: Set<string>,
  make: () => AsyncGenerator<string>,
): Promise<void> {
  for (;;) {
    try {
      for await (const event of make()) acknowledged.add(event)
    } catch (error) {
      if (killed.aborted) return
      throw error
    }
    if (acknowledged.size >= soon) await delay(150)
  }
}

async function* changeTeams(api: Api): AsyncGenerator<string> {
  const team = await makeTeam(api)
  if (team.status === 201) yield `team ${team.name}`
  const { status } = await api.call('PUT', `/teams/${team.id}/members/${admin.name}`)
  if (status === 204) yield `membership ${team.name}`
}

async function* pushCommit(api: Api, cwd: string): AsyncGenerator<string> {
  const address = new URL('/acme/tools.git', api.url)
  address.username = admin.name
  address.password = api.token
  await gitOk(['commit', '-q', '--allow-empty', '-m', randomBytes(6).toString('hex')], { cwd })
  const { code, stderr } = await git(['push', address.href, 'main'], { cwd })
  if (code !== 0) await fetch(`${api.url}/healthz`)
  else if (!stderr.includes('up-to-date')) yield `push ${await gitOk(['rev-parse', 'HEAD'], { cwd })}`
}

interface Got {
  receiver: number
  uuid: string
  call: Received
  /** Whether the receiver responded with 200. */
  isAnswered: boolean
}

/** Records the requests to the receivers and controls whether the receivers respond. */
function watch(receivers: readonly Receiver[]) {
  const got: Got[] = []
  const held = new Map<ServerResponse, Got>()
  let answering: 'few' | 'most' | 'all' = 'all'
  let seen = receivers.map(() => 0)
  const accept = (response: ServerResponse, call: Got): void => {
    if (response.destroyed) return
    call.isAnswered = true
    response.end()
  }
  // Some deliveries fail, but only on their first attempt. Some responses are late, and some do not come
  // before the process is killed.
  const answer = (response: ServerResponse, call: Got): void => {
    const chance = Math.random()
    const isFirst = call.call.headers['x-guildhall-attempt'] === '1'
    if (chance < 0.1 && isFirst) response.writeHead(500).end()
    else if (chance < 0.2 && isFirst) response.destroy()
    else if (chance < 0.9) setTimeout(accept, Math.random() * 300, response, call)
  }
  for (const [at, receiver] of receivers.entries()) {
    receiver.answer((response, received) => {
      const uuid = String(received.headers['x-gitea-delivery'])
      const call = { receiver: at, uuid, call: received, isAnswered: false }
      got.push(call)
      seen[at]! += 1
      if (answering === 'all' || seen[at]! <= concurrentAnswers) accept(response, call)
      else if (answering === 'most') answer(response, call)
      else {
        held.set(response, call)
        response.once('close', () => held.delete(response))
      }
    })
  }
  /** From now on, each receiver responds only to its first few requests and leaves later ones open. */
  const hold = (): void => {
    answering = 'few'
    seen = receivers.map(() => 0)
    held.clear()
  }
  return {
    got,
    hold,
    answerHeldAndHold() {
      for (const [response, call] of held) accept(response, call)
      hold()
    },
    held: () => held.size,
    /** Responds to most of the open requests and of the following ones. */
    answerHeld() {
      answering = 'most'
      for (const [response, call] of held) answer(response, call)
      held.clear()
    },
    answerAll() {
      answering = 'all'
    },
  }
}

/** Describes the event in a request, in the format of the acknowledged events. */
function eventIn({ call }: Got): string {
  const body = JSON.parse(call.body)
  return `${call.headers['x-gitea-event']} ${body.team?.name ?? body.after ?? body.action}`
}

type Delivery = Awaited<ReturnType<typeof readDeliveries>>[number]

const readDeliveries = (db: Db) =>
  db
    .selectFrom('hook_deliveries')
    .select(['uuid', 'hook_id', 'event_id', 'sequence', 'status'])
    .orderBy('hook_id')
    .orderBy('sequence')
    .execute()

/** Expects that every webhook has exactly one delivery per event, numbered without gaps. */
function expectOneOfEachEvent(deliveries: readonly Delivery[], hooks: number): void {
  const ids = [...new Set(deliveries.map(delivery => delivery.hook_id))]
  const events = new Set(deliveries.map(delivery => delivery.event_id))
  expect(ids).toHaveLength(hooks)
  for (const id of ids) {
    const own = deliveries.filter(delivery => delivery.hook_id === id)
    expect(own.map(delivery => delivery.sequence)).toEqual(own.map((_, at) => at + 1))
    expect(own).toHaveLength(events.size)
    expect(new Set(own.map(delivery => delivery.event_id))).toEqual(events)
  }
}

/**
 * Expects that all attempts of a delivery went to the same receiver, with the same body and a valid
 * signature.
 */
function expectSameEachTime(got: readonly Got[]): void {
  const firsts = new Map<string, string>()
  const odd = got.filter(({ receiver, uuid, call: { headers, body } }) => {
    const signature = createHmac('sha256', secret).update(body).digest('hex')
    const kept = ['x-gitea-event-type', 'x-guildhall-sequence', 'webhook-id'].map(name => headers[name])
    const shown = JSON.stringify([receiver, body, ...kept])
    const first = firsts.get(uuid) ?? shown
    firsts.set(uuid, first)
    return shown !== first || headers['webhook-id'] !== uuid || headers['x-gitea-signature'] !== signature
  })
  expect(odd).toEqual([])
}
