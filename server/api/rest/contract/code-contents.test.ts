// @module-tag embedded
import { beforeAll, describe, expect, it } from 'vitest'
import { makeRepository } from '@/db/testing/factories'
import { runGit } from '@/server/kernel/git/run'
import { call } from '@/testing/call'
import { type CodeRepository, makeCode } from '@/testing/code'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
let ada: Person
let code: CodeRepository
const get = (rest: string, headers: Record<string, string> = {}) =>
  call(site, 'GET', `${code.path}${rest}`, { as: ada, headers })

beforeAll(async () => {
  ada = await makePerson(site)
  code = await makeCode(site, ada, {
    'README.md': '# Engine\n',
    'docs/guide.md': 'Read me\n',
    'run.sh': { text: '#!/bin/sh\n', mode: '100755' },
    link: { text: 'docs/guide.md', mode: '120000' },
    vendor: { submodule: '0123456789012345678901234567890123456789' },
    '.gitmodules': '[submodule "vendor"]\n\tpath = vendor\n\turl = ../vendor.git\n',
    'big.bin': `version https://git-lfs.github.com/spec/v1\noid sha256:${'ab'.repeat(32)}\nsize 5000\n`,
    'ü ber/naïve #1.txt': 'x',
  })
})

/** Writes a tree whose names are bytes, one for each character. */
const latin1Tree = async ({ directory }: CodeRepository, lines: string): Promise<string> =>
  (await runGit(['mktree', '-z'], { repository: directory, input: Buffer.from(lines, 'latin1') })).trim()

describe('GET /repos/{owner}/{repo}/contents', () => {
  it('returns 200 and the root directory in the order of Git, with every kind of entry', async () => {
    const { status, body } = await get('/contents')
    expect(status).toBe(200)
    const kinds = body.map(({ name, type }: { name: string; type: string }) => `${type} ${name}`)
    expect(kinds).toEqual([
      'file .gitmodules',
      'file README.md',
      'file big.bin',
      'dir docs',
      'symlink link',
      'file run.sh',
      'submodule vendor',
      'dir ü ber',
    ])
    const base = `${site.services.config.baseUrl}/${ada.name}/${code.name}`
    const api = `${site.services.config.baseUrl}/api/v1/repos/${ada.name}/${code.name}`
    const readme = body[1]
    expect(readme).toEqual({
      name: 'README.md',
      path: 'README.md',
      sha: await code.git('rev-parse', 'main:README.md'),
      type: 'file',
      size: 9,
      encoding: null,
      content: null,
      target: null,
      submodule_git_url: null,
      url: `${api}/contents/README.md?ref=main`,
      html_url: `${base}/src/branch/main/README.md`,
      git_url: `${api}/git/blobs/${readme.sha}`,
      download_url: `${base}/raw/branch/main/README.md`,
      _links: {
        self: `${api}/contents/README.md?ref=main`,
        git: `${api}/git/blobs/${readme.sha}`,
        html: `${base}/src/branch/main/README.md`,
      },
      last_commit_sha: await code.git('rev-parse', 'main'),
    })
    expect(body[3]).toMatchObject({ size: 0, download_url: null, git_url: `${api}/git/trees/${body[3].sha}` })
    expect(body[6]).toMatchObject({ submodule_git_url: '../vendor.git', html_url: null, git_url: null })
  })

  it('returns 200 and one file, symbolic link, or submodule, with content or target', async () => {
    const file = await get('/contents/docs/guide.md')
    expect(file.body).toMatchObject({
      type: 'file',
      encoding: 'base64',
      content: Buffer.from('Read me\n').toString('base64'),
      target: null,
    })
    expect((await get('/contents/docs%2Fguide.md')).body).toEqual(file.body)
    expect((await get('/contents/link')).body).toMatchObject({
      type: 'symlink',
      target: 'docs/guide.md',
      content: null,
    })
    expect((await get('/contents/vendor')).body).toMatchObject({ type: 'submodule', size: 0 })
    expect((await get('/contents/big.bin')).body).toMatchObject({ lfs_oid: 'ab'.repeat(32), lfs_size: 5000 })
    const named = await get(`/contents/${encodeURIComponent('ü ber/naïve #1.txt')}`)
    expect(named.body.url).toContain('/contents/%C3%BC%20ber/na%C3%AFve%20%231.txt?ref=main')
  })

  it('returns 200 for a branch, a tag, and a full commit ID, in this order, and 404 for anything else', async () => {
    const id = await code.git('rev-parse', 'main')
    await code.git('tag', '-a', '-m', 'One', 'v1', 'main')
    for (const ref of ['main', 'v1', id]) {
      const { status, body } = await get(`/contents/README.md?ref=${ref}`)
      expect([ref, status, body.url]).toEqual([ref, 200, expect.stringContaining(`?ref=${ref}`)])
    }
    expect((await get('/contents/README.md?ref=v1')).body.html_url).toContain('/src/tag/v1/README.md')
    expect((await get(`/contents/README.md?ref=${id}`)).body.html_url).toContain(`/src/commit/${id}/`)
    for (const ref of ['nope', id.slice(0, 10), 'HEAD', 'refs/heads/main', 'main~0', 'a b', '*']) {
      const { status } = await get(`/contents/README.md?ref=${encodeURIComponent(ref)}`)
      expect([ref, status]).toEqual([ref, 404])
    }
  })

  it('returns 404 for what does not exist, also below a symbolic link, and 400 for a reserved path', async () => {
    for (const path of ['nope', 'README.md/x', 'link/x', 'docs/nope'])
      expect([path, (await get(`/contents/${path}`)).status]).toEqual([path, 404])
    for (const path of [
      '.git/config',
      'docs%2F..%2Fx',
      'a%2F%2Fb',
      'docs/.GIT/x',
      '%2E%2Fx',
      '%2E%2E%2Fx',
      '.git',
    ])
      expect([path, (await get(`/contents/${path}`)).status]).toEqual([path, 400])
  })

  it('returns 200 for names that Git would read as patterns, and for names that are not UTF-8', async () => {
    const odd = await makeCode(site, ada, { ':(glob)*': 'x', '-d/a b': 'x' })
    const blob = await odd.git('rev-parse', 'main::(glob)*')
    const inner = await latin1Tree(odd, `100644 blob ${blob}\tf\xe9\0`)
    const outer = await latin1Tree(odd, `040000 tree ${inner}\td\xe9\0`)
    await odd.git('update-ref', 'refs/heads/bytes', await odd.git('commit-tree', '-m', 'Bytes', outer))
    const at = (rest: string) => call(site, 'GET', `${odd.path}/${rest}`, { as: ada })
    for (const path of ['%3A%28glob%29%2A', '-d/a%20b'])
      expect([path, (await at(`contents/${path}`)).body.content]).toEqual([path, 'eA=='])
    expect((await at('contents?ref=bytes')).body[0]).toMatchObject({ name: 'd%E9', type: 'dir' })
    for (const path of ['d%E9', 'd%25E9'])
      expect([path, (await at(`contents/${path}?ref=bytes`)).body[0]?.path]).toEqual([path, 'd%E9/f%E9'])
    expect((await at('contents/d%E9/f%E9?ref=bytes')).body).toMatchObject({ sha: blob, content: 'eA==' })
    expect((await at('raw/d%E9/f%E9?ref=bytes')).text).toBe('x')
  })

  it('returns 422 for a directory with more than 5,000 entries, which git/trees lists in pages', async () => {
    const many = Object.fromEntries(Array.from({ length: 5_001 }, (_, index) => [`many/${index}`, '']))
    await code.commit(many, { branch: 'main' })
    expect((await get('/contents/many')).status).toBe(422)
    expect((await get('/contents/many/17')).body).toMatchObject({ name: '17', size: 0 })
    const id = await code.git('rev-parse', 'main:many')
    expect((await get(`/git/trees/${id}`)).body).toMatchObject({ total_count: 5_001, truncated: true })
  })

  it('returns 304 to a client that has the same response already', async () => {
    const etag = (await get('/contents/README.md')).headers.get('etag') ?? ''
    expect((await get('/contents/README.md', { 'if-none-match': etag })).status).toBe(304)
    expect((await get('/contents/docs/guide.md', { 'if-none-match': etag })).status).toBe(200)
  })

  it('returns 200 and an empty list for an empty repository, and 404 for a file in it', async () => {
    const empty = await makeRepository(site.db, ada.account.id)
    const at = `/repos/${ada.name}/${empty.name}/contents`
    expect((await call(site, 'GET', at, { as: ada })).body).toEqual([])
    expect((await call(site, 'GET', `${at}/README.md`, { as: ada })).status).toBe(404)
  })
})
