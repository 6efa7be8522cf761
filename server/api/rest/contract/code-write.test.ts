import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { call } from '@/testing/call'
import { makeCode } from '@/testing/code'
import { recordedEvents } from '@/testing/git-repository'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
const encoded = (text: string | Buffer): string => Buffer.from(text).toString('base64')

const files = {
  'README.md': 'Hello\n',
  'docs/guide.md': 'Guide\n',
  'docs/more/a.txt': 'A\n',
  'run.sh': { text: '#!/bin/sh\n', mode: '100755' },
  link: { text: 'README.md', mode: '120000' },
}

/** Creates a repository of a person, with these files on its branch main. */
async function makeScene() {
  const owner = await makePerson(site)
  const code = await makeCode(site, owner, files)
  const at = (path: string): string => `${code.path}/contents/${path}`
  const send = (method: string, path: string, body?: object, as = owner) =>
    call(site, method, path, { as, ...(body && { body }) })
  const blob = async (path: string, ref = 'main'): Promise<string> =>
    await code.git('rev-parse', `${ref}:${path}`)
  const show = (path: string, ref = 'main'): Promise<string> => code.git('show', `${ref}:${path}`)
  const tree = async (ref = 'main'): Promise<string[]> =>
    (await code.git('ls-tree', '-r', '--format=%(objectmode) %(path)', ref)).split('\n')
  const tip = async (ref = 'main'): Promise<string> => await code.git('rev-parse', ref)
  return { owner, code, at, send, blob, show, tree, tip }
}

describe('POST /repos/{owner}/{repo}/contents/{path}', () => {
  it('creates a file, returns it as it is read afterward, and records a push', async () => {
    const { owner, code, at, send, tip, show } = await makeScene()
    const parent = await tip()
    const { status, body } = await send('POST', at('new/deep/file.txt'), {
      content: encoded('new\n'),
      message: 'Add it',
    })
    expect(status).toBe(201)
    const id = await tip()
    expect(body.content).toEqual((await send('GET', `${at('new/deep/file.txt')}?ref=main`)).body)
    expect(body.content).toMatchObject({ content: encoded('new\n'), last_commit_sha: id })
    expect(body.commit).toMatchObject({
      sha: id,
      message: 'Add it\n',
      parents: [{ sha: parent }],
      tree: { sha: await tip('main^{tree}') },
      author: { name: owner.account.full_name || owner.name },
    })
    expect(body.verification).toMatchObject({ verified: false, reason: 'gpg.error.not_signed_commit' })
    expect(await show('new/deep/file.txt')).toBe('new')
    expect(await code.git('fsck', '--no-dangling', '--strict')).toBe('')
    const [event] = (await recordedEvents(site, code)).filter(({ kind }) => kind === 'git.pushed')
    expect(event?.facts).toMatchObject({ ref: 'refs/heads/main', before: parent, after: id, commits: 1 })
  })

  it('takes authors, dates, sign-off, and a new branch', async () => {
    const { at, send, code, tip } = await makeScene()
    const before = await tip()
    const { status, body } = await send('POST', at('x.txt'), {
      content: encoded('x'),
      message: 'X\r\n\r\nBody',
      author: { name: 'Ada <\nX>', email: 'ada@example.test' },
      dates: { author: '2020-01-02T03:04:05+02:00', committer: '0001-01-01T00:00:00Z' },
      new_branch: 'a+b/c&d',
      signoff: true,
    })
    expect(status).toBe(201)
    expect(await tip()).toBe(before)
    expect(await code.git('log', '-1', '--format=%an|%ae|%cn|%at|%B', 'a+b/c&d')).toBe(
      'Ada X|ada@example.test|Ada X|1577927045|X\n\nBody\n\nSigned-off-by: Ada X <ada@example.test>',
    )
    expect(body.content.url).toContain('?ref=a%2Bb%2Fc%26d')
  })

  it('takes every branch name that a branch can be created with', async () => {
    const { at, code, owner, send, tip } = await makeScene()
    const branch = `${'x'.repeat(250)}/${'y'.repeat(250)}`
    const content = encoded('x')
    expect((await send('POST', at('x.txt'), { content, new_branch: branch })).status).toBe(201)
    const first = await tip(branch)
    const { body } = await send('POST', at('y.txt'), { content, branch })
    expect(body.commit.parents[0].sha).toBe(first)
    const { status } = await call(site, 'PATCH', code.path, { as: owner, body: { default_branch: branch } })
    expect(status).toBe(200)
  })

  it('commits on top of a first push that is not recorded yet', async () => {
    const { send, code, tip } = await makeScene()
    const first = await tip()
    await site.db
      .updateTable('repositories')
      .set({ is_empty: true, branch_count: 0 })
      .where('id', '=', code.id)
      .execute()
    const body = { content: encoded('new\n'), message: 'Add it' }
    const { status, body: created } = await send('POST', `${code.path}/contents/new.txt`, body)
    expect([status, created.commit.parents[0].sha]).toEqual([201, first])
  })

  it('makes the first commit of an empty repository, on the branch that is named', async () => {
    const owner = await makePerson(site)
    const { body } = await call(site, 'POST', '/user/repos', { as: owner, body: { name: 'empty' } })
    const path = `/repos/${owner.name}/empty`
    const sent = { content: encoded('1'), branch: 'trunk' }
    expect((await call(site, 'POST', `${path}/contents/a`, { as: owner, body: sent })).status).toBe(201)
    const repository = (await call(site, 'GET', path, { as: owner })).body
    expect(body.empty).toBe(true)
    expect(repository).toMatchObject({ empty: false, default_branch: 'trunk' })
    expect((await call(site, 'GET', `${path}/contents/a`, { as: owner })).status).toBe(200)
  })

  it.each([
    [422, 'README.md', {}],
    [422, 'docs', {}],
    [422, 'link', {}],
    [422, 'README.md/x', {}],
    [422, '.GIT/config', {}],
    [422, 'a/.git/b', {}],
    [422, 'a%2F..%2Fb', {}],
    [422, `${'x'.repeat(256)}`, {}],
    [422, '.gi%E2%80%8Ct/config', {}],
    [422, 'git~1/config', {}],
    [422, '.gitmodules', { content: encoded(hostileSubmodule) }],
    [422, 'new', { content: '*' }],
    [422, 'new', { content: 'YQ' }],
    [422, 'new', { content: '_-==' }],
    [422, 'new', { content: undefined }],
    [422, 'new', { new_branch: 'a..b' }],
    [422, 'new', { new_branch: 'other' }],
    [422, 'new', { new_branch: 'x'.repeat(251) }],
    [422, 'new', { author: { name: 'x'.repeat(101) } }],
    [422, 'new', { dates: { author: 'yesterday' } }],
    [404, 'new', { branch: 'absent' }],
    [404, 'new', { branch: 'refs/heads/main' }],
  ])('returns %i for %s with %o and changes nothing', async (expected, path, more) => {
    const { code, at, send } = await makeScene()
    await code.git('branch', 'other')
    const before = await code.git('for-each-ref')
    const { status } = await send('POST', at(path), { content: encoded('x'), ...more })
    expect(status).toBe(expected)
    expect(await code.git('for-each-ref')).toBe(before)
  })

  it('takes Base64 with line breaks, and files of many megabytes', async () => {
    const { at, send, code, blob } = await makeScene()
    const wrapped = `${encoded('a'.repeat(100))
      .match(/.{1,76}/g)
      ?.join('\n')}\n`
    expect((await send('POST', at('wrapped'), { content: wrapped })).status).toBe(201)
    const large = randomBytes(15 * 1024 * 1024 + 1)
    const { status, body } = await send('POST', at('large'), { content: encoded(large) })
    expect(status).toBe(201)
    expect(body.content).toMatchObject({ size: large.length, content: null })
    expect(await code.git('cat-file', '-s', await blob('large'))).toBe(String(large.length))
    expect(await code.git('fsck', '--no-dangling')).toBe('')
  })

  it('returns 413 above 32 MiB, and 422 for a long text that is no Base64', async () => {
    const { at, send } = await makeScene()
    expect((await send('POST', at('x'), { content: 'A'.repeat(33 * 1024 * 1024) })).status).toBe(413)
    expect((await send('POST', at('x'), { content: '-'.repeat(1024 * 1024) })).status).toBe(422)
    for (const length of [70_000, 140_000]) {
      const sent = { content: '', message: 'm'.repeat(length) }
      expect((await send('POST', at('x'), sent)).status).toBe(422)
    }
  })
})

// Git runs the command of such a URL when the repository is cloned with its submodules.
const hostileSubmodule = '[submodule "a"]\n\tpath = a\n\turl = --upload-pack=evil\n'

describe('PUT /repos/{owner}/{repo}/contents/{path}', () => {
  it('updates with the present blob ID, and keeps the mode', async () => {
    const { at, send, blob, show, tree } = await makeScene()
    const sha = await blob('run.sh')
    const { status, body } = await send('PUT', at('run.sh'), { content: encoded('new\n'), sha })
    expect([status, body.content.sha]).toEqual([200, await blob('run.sh')])
    expect(body.commit.message).toBe('Update run.sh\n')
    expect(await show('run.sh')).toBe('new')
    expect(await tree()).toContain('100755 run.sh')
  })

  it('creates without a blob ID, and refuses to replace a file without one', async () => {
    const { at, send } = await makeScene()
    expect((await send('PUT', at('new.txt'), { content: encoded('1') })).status).toBe(201)
    expect((await send('PUT', at('new.txt'), { content: encoded('2') })).status).toBe(422)
  })

  it('moves a file, with new content or its own', async () => {
    const { at, send, blob, tree, show } = await makeScene()
    const sha = await blob('docs/more/a.txt')
    const moved = { from_path: 'docs/more/a.txt', sha, new_branch: 'moved', content: encoded('B\n') }
    expect((await send('PUT', at('LICENSE'), moved)).status).toBe(200)
    expect(await show('LICENSE', 'moved')).toBe('B')
    // The directory is empty then.
    expect(await tree('moved')).toEqual([
      '100644 LICENSE',
      '100644 README.md',
      '100644 docs/guide.md',
      '120000 link',
      '100755 run.sh',
    ])
    const kept = { from_path: 'run.sh', sha: await blob('run.sh') }
    expect((await send('PUT', at('bin/run'), kept)).status).toBe(200)
    expect(await tree()).toContain('100755 bin/run')
  })

  it.each([
    [422, 'README.md', { sha: '0'.repeat(40) }],
    [422, 'docs', { sha: '0'.repeat(40) }],
    [422, 'link', { sha: '0'.repeat(40) }],
    [404, 'absent', { sha: '0'.repeat(40) }],
    [404, 'x', { sha: '0'.repeat(40), from_path: 'absent' }],
    [422, 'docs/guide.md', { from_path: 'run.sh', sha: '' }],
  ])('returns %i for %s with %o', async (expected, path, more) => {
    const { at, send, tip } = await makeScene()
    const before = await tip()
    expect((await send('PUT', at(path), { content: encoded('x'), ...more })).status).toBe(expected)
    expect(await tip()).toBe(before)
  })

  it('returns 409 if another push changes the file meanwhile, and commits if it changes others', async () => {
    const { at, send, blob, show, code } = await makeScene()
    const sha = await blob('README.md')
    const writes = ['1', '2', '3'].map(text =>
      send('PUT', at('README.md'), { content: encoded(text), sha }).then(({ status }) => status),
    )
    const others = ['x', 'y', 'z'].map(name =>
      send('POST', at(`other/${name}`), { content: encoded(name) }).then(({ status }) => status),
    )
    const [won, ...lost] = (await Promise.all(writes)).sort()
    expect(won).toBe(200)
    for (const status of lost) expect([409, 422]).toContain(status)
    expect(await Promise.all(others)).toEqual([201, 201, 201])
    expect(await show('other/z')).toBe('z')
    expect(await code.git('rev-list', '--count', 'main')).toBe('5')
  })
})

describe('DELETE /repos/{owner}/{repo}/contents/{path}', () => {
  it('deletes with a body or a query', async () => {
    const { at, send, blob, tree } = await makeScene()
    const body = { sha: await blob('docs/guide.md'), message: 'Gone', author: { name: 'A', email: 'a@x' } }
    const deleted = await send('DELETE', at('docs/guide.md'), body)
    expect([deleted.status, deleted.body.content, deleted.body.commit.message]).toEqual([200, null, 'Gone\n'])
    expect(deleted.body.commit.author).toMatchObject({ name: 'A', email: 'a@x' })
    const query = `?sha=${await blob('README.md')}&branch=main`
    expect((await send('DELETE', at('README.md') + query)).status).toBe(200)
    expect(await tree()).toEqual(['100644 docs/more/a.txt', '120000 link', '100755 run.sh'])
    expect((await send('DELETE', at('README.md') + query)).status).toBe(404)
    expect((await send('DELETE', at('docs'), { sha: '0'.repeat(40) })).status).toBe(422)
    expect((await send('DELETE', at('run.sh'), {})).status).toBe(422)
  })

  it('can delete the last file', async () => {
    const owner = await makePerson(site)
    const code = await makeCode(site, owner, { a: '1' })
    const sha = await code.git('rev-parse', 'main:a')
    const path = `${code.path}/contents/a?sha=${sha}`
    expect((await call(site, 'DELETE', path, { as: owner })).status).toBe(200)
    expect((await call(site, 'GET', `${code.path}/contents`, { as: owner })).body).toEqual([])
  })
})

describe('POST /repos/{owner}/{repo}/contents', () => {
  it('makes several changes in one commit, in their order', async () => {
    const { code, send, blob, tree, tip } = await makeScene()
    const before = await tip()
    const { status, body } = await send('POST', `${code.path}/contents`, {
      files: [
        { operation: 'create', path: 'a/b', content: encoded('b') },
        { operation: 'update', path: 'README.md', content: encoded('r'), sha: await blob('README.md') },
        { operation: 'delete', path: 'docs/guide.md', sha: await blob('docs/guide.md') },
        { operation: 'rename', path: 'docs/b.txt', from_path: 'docs/more/a.txt' },
        { operation: 'upload', path: 'run.sh', content: encoded('run') },
        { operation: 'upload', path: 'up', content: encoded('up') },
      ],
    })
    expect(status).toBe(201)
    expect(body.files.map((file: { path: string } | null) => file?.path)).toEqual([
      'a/b',
      'README.md',
      undefined,
      'docs/b.txt',
      'run.sh',
      'up',
    ])
    expect(body.commit.message).toBe('Change 6 files\n')
    expect(await tip('main^')).toBe(before)
    expect(await tree()).toEqual([
      '100644 README.md',
      '100644 a/b',
      '100644 docs/b.txt',
      '120000 link',
      '100755 run.sh',
      '100644 up',
    ])
  })

  it.each([
    [{ files: [] }],
    [{}],
    [{ files: [{ operation: 'touch', path: 'a' }] }],
    [{ files: [{ operation: 'create', path: 'a' }] }],
    [{ files: [{ operation: 'rename', path: 'a' }] }],
    [{ files: [{ operation: 'create', path: 'a', from_path: 'README.md' }] }],
    [{ files: [{ operation: 'upload', path: 'new', from_path: 'new' }] }],
    [{ files: [{ operation: 'delete', path: 'a', from_path: 'README.md', sha: '0'.repeat(40) }] }],
    [
      {
        files: [
          { operation: 'create', path: 'a', content: '' },
          { operation: 'create', path: 'a', content: '' },
        ],
      },
    ],
  ])('returns 422 for %o and commits nothing', async body => {
    const { code, send, tip } = await makeScene()
    const before = await tip()
    expect((await send('POST', `${code.path}/contents`, body)).status).toBe(422)
    expect(await tip()).toBe(before)
  })

  it('returns 404 for an upload that moves a file that does not exist', async () => {
    const { code, send, tip } = await makeScene()
    const before = await tip()
    const files = [{ operation: 'upload', path: 'new', from_path: 'absent' }]
    expect((await send('POST', `${code.path}/contents`, { files })).status).toBe(404)
    expect(await tip()).toBe(before)
  })

  it('returns the content of so many moved files only as one file has, and refuses to make a tree without end', async () => {
    const owner = await makePerson(site)
    const large = Buffer.alloc(4 * 1024 * 1024)
    const code = await makeCode(site, owner, { a: large, b: large, c: large, d: 'small' })
    const send = (files: object[]) =>
      call(site, 'POST', `${code.path}/contents`, { as: owner, body: { files } })
    const moved = ['a', 'b', 'c', 'd'].map(name => ({
      operation: 'rename',
      path: `in/${name}`,
      from_path: name,
    }))
    const { status, body } = await send(moved)
    expect(status).toBe(201)
    expect(body.files.map(({ content }: { content: string | null }) => content !== null)).toEqual([
      true,
      true,
      false,
      true,
    ])
    const deep = Array.from({ length: 200 }, (_, index) => ({
      operation: 'create',
      path: `${index}/${'a/'.repeat(2000)}b`,
      content: '',
    }))
    expect((await send(deep)).status).toBe(422)
    expect((await send(deep.slice(0, 1))).status).toBe(201)
  })
})
