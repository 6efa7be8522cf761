// @module-tag embedded
import { beforeAll, describe, expect, it } from 'vitest'
import { makeRepository } from '@/db/testing/factories'
import { call } from '@/testing/call'
import { type CodeRepository, makeCode } from '@/testing/code'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
let ada: Person
let code: CodeRepository
let api: string
const get = (rest: string) => call(site, 'GET', `${code.path}/${rest}`, { as: ada })

beforeAll(async () => {
  ada = await makePerson(site)
  code = await makeCode(site, ada, {
    'README.md': '# Engine\n',
    'docs/deep/guide.md': 'Read me\n',
    'run.sh': { text: '#!/bin/sh\n', mode: '100755' },
    vendor: { submodule: '0123456789012345678901234567890123456789' },
  })
  await code.git('branch', 'feature/one', 'main')
  await code.git('tag', 'light', 'main')
  await code.git('tag', '-a', '-m', 'All is told', 'v1.0', 'main')
  api = `${site.services.config.baseUrl}/api/v1/repos/${ada.name}/${code.name}`
})

describe('GET /repos/{owner}/{repo}/git/trees/{sha}', () => {
  it('returns 200 and one level by the ID of a commit or tree, or by the name of a branch or tag', async () => {
    const tree = await code.git('rev-parse', 'main^{tree}')
    const { body, headers } = await get(`git/trees/${tree}`)
    expect(headers.get('x-total-count')).toBe('4')
    expect(body).toMatchObject({
      sha: tree,
      url: `${api}/git/trees/${tree}`,
      truncated: false,
      page: 1,
      total_count: 4,
    })
    expect(body.tree).toEqual([
      await entry('README.md', '100644', 'blob', 9),
      await entry('docs', '040000', 'tree', 0),
      await entry('run.sh', '100755', 'blob', 10),
      {
        path: 'vendor',
        mode: '160000',
        type: 'commit',
        size: 0,
        sha: '0123456789012345678901234567890123456789',
        url: '',
      },
    ])
    const id = await code.git('rev-parse', 'main')
    for (const name of ['main', 'feature/one', 'v1.0', 'light', id, id.slice(0, 7), 'refs/heads/main'])
      expect([name, (await get(`git/trees/${name}`)).body.tree]).toEqual([name, body.tree])
  })

  it('returns 200 and every level in pages if recursive', async () => {
    const { body } = await get('git/trees/main?recursive=1')
    const paths = ['README.md', 'docs', 'docs/deep', 'docs/deep/guide.md', 'run.sh', 'vendor']
    expect(body.tree.map(({ path }: { path: string }) => path)).toEqual(paths)
    expect(body.tree[3]).toMatchObject({ size: 8, mode: '100644' })
    const second = (await get('git/trees/main?recursive=true&per_page=4&page=2')).body
    expect(second).toMatchObject({ truncated: false, page: 2, total_count: 6 })
    expect(second.tree.map(({ path }: { path: string }) => path)).toEqual(['run.sh', 'vendor'])
    expect((await get('git/trees/main?recursive=1&per_page=4')).body.truncated).toBe(true)
    expect((await get('git/trees/main?recursive=1&page=9')).body.tree).toEqual([])
    const rows: [query: string, count: number, truncated: boolean][] = [
      ['recursive=0', 4, false],
      ['recursive=false', 4, false],
      ['per_page=3', 3, true],
      ['per_page=3&page=2', 1, false],
      ['page=2', 0, false],
      ['per_page=0', 4, false],
      ['per_page=99999', 4, false],
    ]
    for (const [query, count, truncated] of rows) {
      const { body, headers } = await get(`git/trees/main?${query}`)
      const shown = [query, body.tree.length, body.truncated, body.total_count, headers.get('x-total-count')]
      expect(shown).toEqual([query, count, truncated, 4, '4'])
    }
    const commit = await code.git('rev-parse', 'main')
    expect((await get('git/trees/main')).body).toMatchObject({
      sha: commit,
      url: `${api}/git/trees/${commit}`,
    })
  })

  it('returns 400 for an unknown tree and for an empty repository', async () => {
    const empty = await makeRepository(site.db, ada.account.id)
    for (const name of ['nope', '0'.repeat(40), await code.git('rev-parse', 'main:README.md')])
      expect([name, (await get(`git/trees/${name}`)).status]).toEqual([name, 400])
    const answer = await call(site, 'GET', `/repos/${ada.name}/${empty.name}/git/trees/main`, { as: ada })
    expect(answer.status).toBe(400)
  })

  async function entry(path: string, mode: string, type: string, size: number) {
    const sha = await code.git('rev-parse', `main:${path}`)
    return { path, mode, type, size, sha, url: `${api}/git/${type}s/${sha}` }
  }
})

describe('GET /repos/{owner}/{repo}/git/blobs/{sha}', () => {
  it('returns 200 and the content in Base64, and 400 for anything but the ID of a blob', async () => {
    const sha = await code.git('rev-parse', 'main:README.md')
    expect((await get(`git/blobs/${sha}`)).body).toEqual({
      content: Buffer.from('# Engine\n').toString('base64'),
      encoding: 'base64',
      url: `${api}/git/blobs/${sha}`,
      sha,
      size: 9,
    })
    const tree = await code.git('rev-parse', 'main^{tree}')
    for (const name of [tree, sha.slice(0, 10), '0'.repeat(40), 'main'])
      expect([name, (await get(`git/blobs/${name}`)).status]).toEqual([name, 400])
  })

  it('returns 200 without content above 10 MiB', async () => {
    await code.commit({ huge: Buffer.alloc(10 * 1024 * 1024 + 1) }, { branch: 'main' })
    const sha = await code.git('rev-parse', 'main:huge')
    const { body } = await get(`git/blobs/${sha}`)
    expect(body).toMatchObject({ content: null, encoding: null, size: 10 * 1024 * 1024 + 1 })
    expect((await get('contents/huge')).body).toMatchObject({ content: null, encoding: null })
  })
})

describe('GET /repos/{owner}/{repo}/git/tags/{sha}', () => {
  it('returns 200 and the tag by the ID of its object, and 400 for that of a commit', async () => {
    const [sha, commit] = [await code.git('rev-parse', 'v1.0'), await code.git('rev-parse', 'v1.0^{}')]
    expect((await get(`git/tags/${sha}`)).body).toMatchObject({
      tag: 'v1.0',
      sha,
      url: `${api}/git/tags/${sha}`,
      message: 'All is told\n',
      tagger: { name: 'Bob', email: 'bob@example.test' },
      object: { type: 'commit', url: `${api}/git/commits/${commit}`, sha: commit },
      verification: { verified: false, reason: 'gpg.error.not_signed_commit' },
    })
    const tree = await code.git('rev-parse', 'main^{tree}')
    for (const name of [commit, tree, 'v1.0', sha.slice(0, 10), '0'.repeat(40)])
      expect([name, (await get(`git/tags/${name}`)).status]).toEqual([name, 400])
  })
})

describe('GET /repos/{owner}/{repo}/git/refs', () => {
  it('returns 200 and the refs that begin with a text, always as a list, and 404 if there is none', async () => {
    const names = async (rest: string) =>
      (await get(`git/refs${rest}`)).body.map(({ ref }: { ref: string }) => ref)
    const all = ['refs/heads/feature/one', 'refs/heads/main', 'refs/tags/light', 'refs/tags/v1.0']
    expect(await names('')).toEqual(all)
    expect(await names('/heads')).toEqual(all.slice(0, 2))
    expect(await names('/heads/main')).toEqual(['refs/heads/main'])
    const [tag] = (await get('git/refs/tags/v1.0')).body
    const sha = await code.git('rev-parse', 'v1.0')
    expect(tag).toEqual({
      ref: 'refs/tags/v1.0',
      url: `${api}/git/refs/tags/v1.0`,
      object: { type: 'tag', sha, url: `${api}/git/tags/${sha}` },
    })
    expect(await names('/heads/feature%2Fo')).toEqual(['refs/heads/feature/one'])
    expect(await names('/tags/')).toEqual(all.slice(2))
    for (const rest of ['/heads/nope', '/refs/heads/main', '/heads/*', '/pull'])
      expect([rest, (await get(`git/refs${rest}`)).status]).toEqual([rest, 404])
  })
})

describe('GET /repos/{owner}/{repo}/licenses', () => {
  it('returns 200 and the SPDX identifiers of the licenses in the root directory', async () => {
    expect((await get('licenses')).body).toEqual([])
    await code.commit({
      LICENSE:
        'MIT License\n\nPermission is hereby granted, free of charge, to any person obtaining a copy\n',
      'COPYING.lesser': 'GNU LESSER GENERAL PUBLIC LICENSE\n  Version 3, 29 June 2007\n',
    })
    expect((await get('licenses')).body.sort()).toEqual(['LGPL-3.0-only', 'MIT'])
  })
})

describe('GET /repos/{owner}/{repo}/languages', () => {
  it('returns 200 and the bytes of each language, most first, without prose and what comes from elsewhere', async () => {
    const other = await makeCode(site, ada, {
      'a.ts': 'x'.repeat(10),
      'b.go': 'x'.repeat(20),
      'vendor/c.go': 'x'.repeat(500),
      'README.md': 'x'.repeat(500),
      'link.go': { text: 'b.go', mode: '120000' },
    })
    const { text } = await call(site, 'GET', `${other.path}/languages`, { as: ada })
    expect(text).toBe('{"Go":20,"TypeScript":10}')
  })
})
