import { once } from 'node:events'
import { get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { availableParallelism } from 'node:os'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createHttpServer } from '@/server/http/server'
import type { UserCaller } from '@/server/kernel/caller'
import { withGitSlot } from '@/server/kernel/git/slots'
import { makeGitRepository } from '@/testing/git-repository'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'
import { pageCaller } from './page-caller'

vi.mock('next/headers', () => ({ headers: async () => new Headers() }))

const site = useSite()

/**
 * Starts a server whose only page lists a repository's branches, while all Git slots of 127.0.0.1 are in use.
 */
async function openBusySite() {
  const { account } = await makePerson(site)
  const { name: repo } = await makeGitRepository(site, account, { is_empty: false })
  const rendered: Promise<unknown>[] = []
  const server = createHttpServer(site.services, async (_, response) => {
    const listing = pageCaller().then(caller => caller.repos.branches.list({ owner: account.name, repo }))
    rendered.push(listing.catch(error => error))
    await listing.catch(() => undefined)
    response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  const ends: (() => void)[] = []
  const somebody = { caller: { kind: 'user' } as UserCaller, remoteAddress: '127.0.0.1' }
  const held = Array.from({ length: availableParallelism() }, () =>
    withGitSlot(somebody, () => new Promise<void>(resolve => ends.push(resolve))),
  )
  const free = async () => {
    for (const end of ends) end()
    await Promise.all(held)
  }
  onTestFinished(async () => {
    await free()
    server.closeAllConnections()
    server.close()
  })
  const visitFrom = (localAddress: string) => get({ port, host: '127.0.0.1', localAddress, agent: false })
  return { rendered, free, visitFrom }
}

it('Git commands of pages count toward the share of the client’s address', async () => {
  const { rendered, free, visitFrom } = await openBusySite()
  const inLine = once(visitFrom('127.0.0.1'), 'response')
  await vi.waitUntil(() => rendered.length === 1)
  await once(visitFrom('127.0.0.2'), 'response')
  expect(await rendered[1]).toMatchObject({ total: 0 })
  const waits = Symbol('waits')
  expect(await Promise.race([rendered[0], Promise.resolve(waits)])).toBe(waits)
  await free()
  await inLine
  expect(await rendered[0]).toMatchObject({ total: 0 })
})

it('the page of a disconnected client stops waiting for Git', async () => {
  const { rendered, visitFrom } = await openBusySite()
  const visit = visitFrom('127.0.0.1').on('error', () => undefined)
  await vi.waitUntil(() => rendered.length === 1)
  visit.destroy()
  expect(await rendered[0]).toMatchObject({ code: 'TOO_MANY_REQUESTS' })
})
