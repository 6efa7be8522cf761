import { describe, expect, it } from 'vitest'
import type { Answer } from '@/server/kernel/http/call'
import type { Services } from '@/server/services'
import { allowingOthers, findMount, type Mount, otherMethods } from './mount'

const services = {} as Services
const path = '/api/v1/repos/acme/site/releases/1/assets'
const connection = { remoteAddress: '', requestId: '' }

/** Creates a mount that matches some methods and responds with 405 to all of them but GET. */
const mountOf = (name: string, takes: (method: string) => boolean): Mount => ({
  name,
  match: (asked, method) => asked.startsWith('/api/v1') && takes(method),
  createHandler:
    () =>
    async (call): Promise<Answer> =>
      call.method === 'GET'
        ? { status: 200, headers: {} }
        : { status: 405, headers: { Allow: 'GET, HEAD' }, body: 'refused' },
})
const upload = mountOf('upload', method => method === 'POST')
const rest = mountOf('rest', () => true)
const mounts = [upload, rest]

describe('mounts that share a path', () => {
  it('each receive their own methods, and HEAD goes to the mount that serves GET', () => {
    const found = ['POST', 'GET', 'HEAD', 'DELETE'].map(method => findMount(mounts, path, method)?.name)
    expect(found).toEqual(['upload', 'rest', 'rest', 'rest'])
  })

  it('both add their methods to the Allow header of a 405', async () => {
    const handle = allowingOthers(mounts, rest, rest.createHandler(services))
    const call = { method: 'DELETE', path } as Parameters<typeof handle>[0]
    const answer = await handle(call, connection)
    expect([answer.status, answer.headers.Allow]).toEqual([405, 'GET, HEAD, POST'])
  })

  it('are listed with their methods if none serves the requested one, and other paths list no methods', () => {
    const halves = [upload, mountOf('list', method => method === 'GET')]
    expect(findMount(halves, path, 'DELETE')).toBeUndefined()
    expect(otherMethods(halves, path)).toEqual(['GET', 'HEAD', 'POST'])
    expect(otherMethods(halves, '/acme')).toEqual([])
  })
})
