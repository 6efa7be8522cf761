import { describe, expect, it } from 'vitest'
import type { Answer } from '@/server/kernel/http/call'
import type { Services } from '@/server/services'
import { allowingOthers, findMount, type Mount, otherMethods } from './mount'

const services = {} as Services
const path = '/api/v1/repos/acme/site/releases/1/assets'
const connection = { remoteAddress: '', requestId: '' }

/** A mount that takes this method alone at its paths, or every one and refuses some itself. */
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

describe('two mounts that share a path', () => {
  it('each get their own methods, and HEAD goes where GET goes', () => {
    const found = ['POST', 'GET', 'HEAD', 'DELETE'].map(method => findMount(mounts, path, method)?.name)
    expect(found).toEqual(['upload', 'rest', 'rest', 'rest'])
  })

  it('are both named by the Allow of a method that neither takes', async () => {
    const handle = allowingOthers(mounts, rest, rest.createHandler(services))
    const call = { method: 'DELETE', path } as Parameters<typeof handle>[0]
    const answer = await handle(call, connection)
    expect([answer.status, answer.headers.Allow]).toEqual([405, 'GET, HEAD, POST'])
  })

  it('tell what they take where none takes the method, and nothing at paths of nobody', () => {
    const halves = [upload, mountOf('list', method => method === 'GET')]
    expect(findMount(halves, path, 'DELETE')).toBeUndefined()
    expect(otherMethods(halves, path)).toEqual(['GET', 'HEAD', 'POST'])
    expect(otherMethods(halves, '/acme')).toEqual([])
  })
})
