// @module-tag slow
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { startPostgres } from '@/db/testing/postgres-server'
import { openReceiver } from '@/testing/receiver'
import { type Guildhall, start, temporaryDirectory } from './guildhall'
import { apiOf, makeOrganization, siteOnPostgres, untilDelivered } from './hooks'
import { arrivedEvents, putUnderLoad } from './load'

// A folder with a built earlier version that the new one can run beside.
const earlier = process.env.GUILDHALL_TEST_EARLIER_BUILD
const postgres = earlier ? await startPostgres() : undefined
afterAll(() => postgres?.stop())

const requestsOfEachPhase = 200

it.skipIf(!postgres)(
  'no request fails and no event is lost while a new version migrates the database and replaces an older one',
  { timeout: 600_000 },
  async () => {
    await using site = await siteOnPostgres(postgres!.url)
    await using directory = await temporaryDirectory()
    const receiver = await openReceiver()
    const old = await start(site.environment, undefined, earlier)
    const { token } = await makeOrganization(old.url, [receiver.url])
    await apiOf(old.url, token).call('POST', '/orgs/acme/repos', { name: 'tools' })

    const balancer = balance(old)
    const load = putUnderLoad(balancer.next, token, directory.path)
    await load.more(requestsOfEachPhase)
    const fresh = await start(site.environment)
    balancer.add(fresh)
    await load.more(requestsOfEachPhase)
    expect((await fetch(`${old.url}/readyz`)).status).toBe(200)
    balancer.remove(old)
    await delay(1000)
    expect(await old.end('SIGTERM')).toBe(0)
    await load.more(requestsOfEachPhase)
    await load.stop()

    expect(load.failures).toEqual([])
    await untilDelivered(apiOf(fresh.url, token))
    const arrived = arrivedEvents(receiver)
    expect(load.acknowledged.filter(event => !arrived.includes(event))).toEqual([])
    expect(new Set(arrived).size).toBe(arrived.length)
    console.info(`${load.requests()} requests and ${load.acknowledged.length} events, none failed`)
    expect(old.output()).toMatch(/a newer version has migrated the database; this process continues/)
    expect(await fresh.end('SIGTERM')).toBe(0)
    expect(fresh.output()).not.toMatch(/"level":"(error|fatal)"/)
    await receiver.close()
  },
)

/** Returns the processes in turns, as a load balancer does. */
function balance(first: Guildhall) {
  let processes = [first]
  let turn = 0
  return {
    next: (): string => processes[turn++ % processes.length]!.url,
    add: (added: Guildhall) => void processes.push(added),
    remove(removed: Guildhall) {
      processes = processes.filter(process => process !== removed)
    },
  }
}
