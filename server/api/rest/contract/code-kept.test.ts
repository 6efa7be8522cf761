import { describe, expect, it } from 'vitest'
import { call } from '@/testing/call'
import { makeCode } from '@/testing/code'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
const encoded = (text: string): string => Buffer.from(text).toString('base64')

/** Creates a public repository, and reads it without an account. */
async function makeScene() {
  const owner = await makePerson(site)
  const code = await makeCode(site, owner, { 'docs/a.txt': 'first\n' })
  const raw = `${code.path}/raw/docs/a.txt`
  const paths = [
    raw,
    ...['contents/docs/a.txt', 'contents/docs', 'commits', 'git/trees/main', 'git/commits/main'].map(
      at => `${code.path}/${at}`,
    ),
  ]
  const read = async (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    await call(site, method, path, { headers })
  const texts = () => Promise.all(paths.map(async path => (await read(path)).text))
  /** Changes the branch in the repository's directory, of which the server does not learn. */
  const changeUnseen = async (): Promise<void> => {
    const tree = await code.git('rev-parse', 'main^{tree}')
    const person = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.test']
    const commit = await code.git(...person, 'commit-tree', '-m', 'unseen', tree)
    await code.git('update-ref', 'refs/heads/main', commit)
  }
  return { owner, code, raw, paths, read, texts, changeUnseen }
}

describe('code that visitors read', () => {
  it('comes from memory until it changes', async () => {
    const { owner, code, raw, paths, read, texts, changeUnseen } = await makeScene()
    const before = await texts()
    await changeUnseen()
    expect(await texts()).toEqual(before)
    const sent = { operation: 'upload', path: 'docs/a.txt', content: encoded('second\n') }
    const { status } = await call(site, 'POST', `${code.path}/contents`, {
      as: owner,
      body: { files: [sent] },
    })
    expect(status).toBe(201)
    const after = await texts()
    for (const [index, text] of after.entries()) expect(text, paths[index]).not.toBe(before[index])
    expect((await read(raw)).text).toBe('second\n')
  })

  it('responds to conditional and partial requests as if it was read again', async () => {
    const { raw, paths, read, changeUnseen } = await makeScene()
    for (const path of paths) {
      const first = await read(path)
      const etag = first.headers.get('etag') ?? ''
      await changeUnseen()
      const known = await read(path, { 'If-None-Match': etag })
      expect([known.status, known.text, known.headers.get('etag')], path).toEqual([304, '', etag])
      const other = await read(path, { 'If-None-Match': '"x"' })
      expect([other.status, other.text], path).toEqual([200, first.text])
      const head = await read(path, {}, 'HEAD')
      expect([head.status, head.text], path).toEqual([200, ''])
    }
    const part = await read(raw, { Range: 'bytes=1-3' })
    expect([part.status, part.text, part.headers.get('content-range')]).toEqual([206, 'irs', 'bytes 1-3/6'])
  })

  it('redirects as soon as the repository has another name, and is read again for people with an account', async () => {
    const { owner, code, raw, paths, read, texts, changeUnseen } = await makeScene()
    const [, , , commits] = paths as [string, string, string, string]
    await texts()
    await changeUnseen()
    const [commit] = (await call(site, 'GET', commits, { as: owner })).body
    expect(commit.commit.message).toBe('unseen\n')
    await call(site, 'PATCH', code.path, { as: owner, body: { name: `${code.name}-new` } })
    for (const path of paths) expect([301, 307], path).toContain((await read(path)).status)
    expect((await read(raw.replace(code.path, `${code.path}-new`))).status).toBe(200)
  })

  it('is hidden as soon as the repository is private or deleted', async () => {
    for (const [method, body] of [
      ['PATCH', { private: true }],
      ['DELETE', undefined],
    ] as const) {
      const { owner, code, paths, read, texts } = await makeScene()
      await texts()
      const { status } = await call(site, method, code.path, { as: owner, ...(body && { body }) })
      expect(status).toBeLessThan(300)
      for (const path of paths) expect((await read(path)).status, path).toBe(404)
    }
  })

  it('is hidden as soon as its owner is', async () => {
    const { owner, paths, read, texts } = await makeScene()
    const root = await makePerson(site, { is_admin: true })
    await texts()
    const body = { visibility: 'private', login_name: owner.name, source_id: 0 }
    expect((await call(site, 'PATCH', `/admin/users/${owner.name}`, { as: root, body })).status).toBe(200)
    for (const path of paths) expect((await read(path)).status, path).toBe(404)
  })
})
