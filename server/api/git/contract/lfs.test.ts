import { describe, expect, it } from 'vitest'
import { addressOf, makeGitRepository } from '@/testing/git-repository'
import { makePerson } from '@/testing/people'
import { mount, useSite } from '@/testing/site'
import { lfsNotSupported } from '../lfs'

const mediaType = 'application/vnd.git-lfs+json'

describe.skipIf(mount === 'next')('Git LFS over HTTP', () => {
  const site = useSite()

  const ask = async (url: string, method: string, headers: Record<string, string> = {}) => {
    const response = await fetch(url, {
      method,
      headers: { accept: mediaType, 'content-type': mediaType, ...headers },
      body: method === 'GET' ? undefined : '{"operation":"upload","objects":[]}',
      redirect: 'manual',
    })
    return [response.status, response.headers.get('content-type'), await response.text()]
  }
  const refused = [404, mediaType, JSON.stringify({ message: lfsNotSupported })]

  it.each([
    ['POST', 'objects/batch'],
    ['PUT', `objects/${'0'.repeat(64)}`],
    ['GET', `objects/${'0'.repeat(64)}`],
    ['GET', 'locks?path=a.bin'],
    ['POST', 'locks'],
    ['POST', 'locks/verify'],
    ['POST', 'locks/1/unlock'],
    ['DELETE', 'locks/1'],
    ['GET', ''],
  ])(
    'returns 404 for %s %s, in the media type of LFS and with the same message as over SSH',
    async (method, path) => {
      const owner = await makePerson(site)
      const url = addressOf(site, await makeGitRepository(site, owner.account))
      for (const base of [url, url.replace(/\.git$/, '')]) {
        expect(await ask(`${base}/info/lfs/${path}`, method)).toEqual(refused)
      }
    },
  )

  it('returns the same 404 for private and missing repositories, with and without credentials', async () => {
    const [owner, stranger] = [await makePerson(site), await makePerson(site)]
    const hidden = await makeGitRepository(site, owner.account, { is_private: true })
    for (const url of [addressOf(site, hidden), `${site.url}/nobody/nothing.git`]) {
      for (const { token } of [owner, stranger, { token: 'none' }]) {
        const headers = { authorization: `token ${token}` }
        expect(await ask(`${url}/info/lfs/objects/batch`, 'POST', headers)).toEqual(refused)
      }
    }
  })
})
