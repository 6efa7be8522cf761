// @module-tag slow
import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { startPostgres } from '@/db/testing/postgres-server'
import { gitOk } from '@/testing/git'
import { startLocal } from '@/testing/git-repository'
import { openReceiver } from '@/testing/receiver'
import { addKey } from './api'
import { admin, type Guildhall, start, temporaryDirectory } from './guildhall'
import { apiOf, makeOrganization, makeTeam, siteOnPostgres, untilDelivered } from './hooks'

// A folder with a built earlier version that the new one can run beside.
const earlier = process.env.GUILDHALL_TEST_EARLIER_BUILD
const postgres = earlier ? await startPostgres() : undefined
afterAll(() => postgres?.stop())

const secondsOfEachPhase = 10

it.skipIf(!postgres)(
  'no request fails and no event is lost while a new version migrates the database and replaces an older one',
  { timeout: 300_000 },
  async () => {
    await using site = await siteOnPostgres(postgres!.url)
    await using directory = await temporaryDirectory()
    const receiver = await openReceiver()
    const old = await start(site.environment, undefined, earlier)
    const { token } = await makeOrganization(old.url, [receiver.url])
    await apiOf(old.url, token).call('POST', '/orgs/acme/repos', { name: 'tools' })

    const balancer = balance(old)
    const load = putUnderLoad(balancer.next, token, directory.path)
    await delay(secondsOfEachPhase * 1000)
    const fresh = await start(site.environment)
    const countAlongside = load.requests()
    balancer.add(fresh)
    await delay(secondsOfEachPhase * 1000)
    expect((await fetch(`${old.url}/readyz`)).status).toBe(200)
    const countAfterAlongside = load.requests()
    balancer.remove(old)
    await delay(1000)
    expect(await old.end('SIGTERM')).toBe(0)
    await delay(secondsOfEachPhase * 1000)
    await load.stop()

    expect(load.failures).toEqual([])
    expect(countAfterAlongside - countAlongside).toBeGreaterThan(50)
    await untilDelivered(apiOf(fresh.url, token))
    const arrived = receiver.calls.map(({ headers, body }) => {
      const content = JSON.parse(body)
      return `${headers['x-gitea-event']} ${content.team?.name ?? content.after ?? content.ref ?? ''}`
    })
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

/** Reads, changes and pushes from several clients at once until it is stopped. */
function putUnderLoad(next: () => string, token: string, directory: string) {
  const acknowledged: string[] = []
  const failures: string[] = []
  let count = 0
  let isStopped = false

  const read = async (path: string): Promise<void> => {
    const url = `${next()}${path}`
    const response = await fetch(url, { headers: { authorization: `token ${token}` } })
    await response.arrayBuffer()
    if (!response.ok) failures.push(`${response.status} ${url}`)
  }
  const makeKey = async (): Promise<void> => {
    const response = await addKey(next(), token)
    if (response.status !== 201) failures.push(`${response.status} ${await response.text()}`)
  }
  const changeTeams = async (): Promise<void> => {
    const { name, status, id } = await makeTeam(apiOf(next(), token))
    if (status === 201) acknowledged.push(`team ${name}`)
    else failures.push(`${status} for team ${name}`)
    const joined = await apiOf(next(), token).call('PUT', `/teams/${id}/members/${admin.name}`)
    if (joined.status === 204) acknowledged.push(`membership ${name}`)
    else failures.push(`${joined.status} for the member of ${name}`)
  }
  const pushFrom = async (cwd: string, branch: string): Promise<void> => {
    const message = randomBytes(6).toString('hex')
    await gitOk(['commit', '-q', '--allow-empty', '-m', message], { cwd })
    const address = new URL('/acme/tools.git', next())
    address.username = admin.name
    address.password = token
    await gitOk(['push', '-q', address.href, `HEAD:${branch}`], { cwd })
    acknowledged.push(`push ${await gitOk(['rev-parse', 'HEAD'], { cwd })}`)
  }
  const repeat = async (act: () => Promise<void>): Promise<void> => {
    while (!isStopped) {
      try {
        await act()
      } catch (error) {
        failures.push(String(error))
      }
      count++
    }
  }
  const clients = [
    ...['/api/v1/user/keys', '/explore', '/acme/tools', '/healthz'].map(path => () => read(path)),
    makeKey,
    changeTeams,
    changeTeams,
    ...['one', 'two'].map(branch => {
      const local = `${directory}/${branch}`
      const ready = startLocal(local)
      return () => ready.then(() => pushFrom(local, branch))
    }),
  ]
  const running = Promise.all(clients.map(repeat))
  return {
    acknowledged,
    failures,
    requests: () => count,
    async stop() {
      isStopped = true
      await running
    },
  }
}
