import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Branch } from '@/server/repos/refs/schema'
import { findRef } from '@/server/repos/storage'
import { jobContext } from '@/server/services'
import { git, gitOk } from '@/testing/git'
import {
  addressOf,
  commit,
  makeGitRepository,
  recordedEvents,
  refsOf,
  rowOf,
  startLocal,
  useWorkDirectory,
} from '@/testing/git-repository'
import { makePerson } from '@/testing/people'
import { mount, useSite } from '@/testing/site'

const zeros = '0'.repeat(40)

describe.skipIf(mount === 'next')('a push over HTTP', () => {
  const site = useSite()
  const work = useWorkDirectory()

  async function prepare() {
    const person = await makePerson(site)
    const repository = await makeGitRepository(site, person.account)
    const local = work.path()
    const first = await startLocal(local)
    return { person, repository, local, first, remote: addressOf(site, repository, person) }
  }

  it('is in the refs, the row and the events when Git reports success', async () => {
    const { person, repository, local, first, remote } = await prepare()
    const second = await commit(local, 'Second\n\nwith a body')
    await gitOk(['push', '-q', remote, 'main'], { cwd: local })
    expect(await refsOf(repository)).toEqual({ 'refs/heads/main': second })
    const row = await rowOf(site, repository)
    expect(row).toMatchObject({ is_empty: false, branch_count: 1, default_branch: 'main' })
    expect(row.size_kib).toBeGreaterThan(0)
    expect(row.pushed_at).toEqual(row.updated_at)
    const repositoryId = repository.id
    const created = { repositoryId, ref: 'refs/heads/main', refType: 'branch', sha: second, quiet: false }
    const pushed = {
      repositoryId,
      ref: 'refs/heads/main',
      before: zeros,
      after: second,
      commits: 2,
      forced: false,
      summary: 'Second',
      newest: [
        expect.objectContaining({ sha: second, message: 'Second\n\nwith a body' }),
        expect.objectContaining({ sha: first }),
      ],
      quiet: false,
    }
    expect(await recordedEvents(site, repository)).toEqual([
      { kind: 'ref.created', actor: person.account.id, facts: created },
      { kind: 'git.pushed', actor: person.account.id, facts: pushed },
    ])
    const third = await commit(local)
    await gitOk(['push', '-q', remote, 'main'], { cwd: local })
    expect((await recordedEvents(site, repository)).at(-1)).toMatchObject({
      kind: 'git.pushed',
      facts: { before: second, after: third, commits: 1, forced: false },
    })
    expect(first).not.toBe(second)
  })

  it('can be cloned completely', async () => {
    const { local, first, remote } = await prepare()
    await gitOk(['push', '-q', remote, 'main'], { cwd: local })
    const copy = work.path()
    await gitOk(['clone', '-q', remote, copy])
    expect(await gitOk(['rev-parse', 'HEAD'], { cwd: copy })).toBe(first)
  })

  it('of tags is recorded, annotated tags with the ID of the tag object', async () => {
    const { repository, local, first, remote } = await prepare()
    await gitOk(['tag', 'light'], { cwd: local })
    await gitOk(['tag', '-a', 'v1', '-m', 'One'], { cwd: local })
    await gitOk(['push', '-q', remote, 'main', '--tags'], { cwd: local })
    const annotation = await gitOk(['rev-parse', 'v1'], { cwd: local })
    const events = await recordedEvents(site, repository)
    expect(events.filter(event => event.facts.refType === 'tag').map(event => event.facts)).toMatchObject([
      { ref: 'refs/tags/light', refType: 'tag', sha: first },
      { ref: 'refs/tags/v1', refType: 'tag', sha: annotation },
    ])
    expect(await rowOf(site, repository)).toMatchObject({ branch_count: 1, tag_count: 2 })
    await gitOk(['push', '-q', remote, ':v1'], { cwd: local })
    expect(await rowOf(site, repository)).toMatchObject({ branch_count: 1, tag_count: 1 })
    expect((await recordedEvents(site, repository)).slice(-2)).toMatchObject([
      { kind: 'ref.deleted', facts: { ref: 'refs/tags/v1', refType: 'tag', sha: annotation } },
      { kind: 'git.pushed', facts: { ref: 'refs/tags/v1', before: annotation, after: zeros } },
    ])
  })

  it('that deletes a branch lowers the count, and cannot delete the default branch', async () => {
    const { repository, local, first, remote } = await prepare()
    await gitOk(['push', '-q', remote, 'main', 'main:side'], { cwd: local })
    expect((await rowOf(site, repository)).branch_count).toBe(2)
    await gitOk(['push', '-q', remote, ':side'], { cwd: local })
    expect((await rowOf(site, repository)).branch_count).toBe(1)
    expect((await recordedEvents(site, repository)).at(-1)).toMatchObject({
      kind: 'ref.deleted',
      facts: { ref: 'refs/heads/side', refType: 'branch', sha: first },
    })
    const refused = await git(['push', remote, ':main'], { cwd: local })
    expect(refused.code).not.toBe(0)
    expect(refused.stderr).toContain('deletion of the current branch prohibited')
    expect(await refsOf(repository)).toEqual({ 'refs/heads/main': first })
  })

  it('that rewrites history is refused without force, and recorded as forced with it', async () => {
    const { repository, local, first, remote } = await prepare()
    await gitOk(['push', '-q', remote, 'main'], { cwd: local })
    await gitOk(['commit', '-q', '--amend', '-m', 'Rewritten'], { cwd: local })
    const rewritten = await gitOk(['rev-parse', 'HEAD'], { cwd: local })
    expect((await git(['push', '-q', remote, 'main'], { cwd: local })).code).toBe(1)
    expect(await refsOf(repository)).toEqual({ 'refs/heads/main': first })
    await gitOk(['push', '-q', '--force', remote, 'main'], { cwd: local })
    expect((await recordedEvents(site, repository)).at(-1)).toMatchObject({
      facts: { before: first, after: rewritten, commits: 1, forced: true, summary: 'Rewritten' },
    })
  })

  it.each([
    { pushed: ['main', 'trunk'], intended: 'trunk', becomes: 'trunk' },
    { pushed: ['other', 'main'], intended: 'trunk', becomes: 'main' },
    { pushed: ['other', 'master'], intended: 'main', becomes: 'master' },
    { pushed: ['zeta', 'alpha'], intended: 'main', becomes: 'zeta' },
    { pushed: ['line\u2028end', 'alpha'], intended: 'main', becomes: 'line\u2028end' },
    { pushed: ['@', 'alpha'], intended: 'main', becomes: 'alpha' },
  ])(
    'of $pushed to an empty repository makes $becomes the default branch if $intended was configured',
    async row => {
      const person = await makePerson(site)
      const repository = await makeGitRepository(site, person.account, { default_branch: row.intended })
      const local = work.path()
      const id = await startLocal(local)
      const remote = addressOf(site, repository, person)
      await gitOk(['push', '-q', remote, ...row.pushed.map(name => `main:refs/heads/${name}`)], {
        cwd: local,
      })
      expect(await rowOf(site, repository)).toMatchObject({ default_branch: row.becomes, branch_count: 2 })
      const copy = work.path()
      await gitOk(['clone', '-q', remote, copy])
      expect(await gitOk(['symbolic-ref', 'HEAD'], { cwd: copy })).toBe(`refs/heads/${row.becomes}`)
      expect(await gitOk(['rev-parse', 'HEAD'], { cwd: copy })).toBe(id)
    },
  )

  it.each([
    { called: '@', name: '@' },
    { called: '-x', name: '-x' },
    { called: 'by a control character', name: 'c1-\u0085' },
    { called: 'in 1104 bytes', name: `${'long/'.repeat(220)}name` },
  ])(
    'of a branch named $called, which cannot be the default branch, is recorded and listed, and a later branch can be',
    async ({ name }) => {
      const { person, repository, local, first, remote } = await prepare()
      await gitOk(['push', '-q', remote, `main:refs/heads/${name}`], { cwd: local })
      expect(await rowOf(site, repository)).toMatchObject({
        is_empty: false,
        branch_count: 1,
        default_branch: 'main',
      })
      expect(await recordedEvents(site, repository)).toMatchObject([
        { kind: 'ref.created', facts: { ref: `refs/heads/${name}` } },
        { kind: 'git.pushed', facts: { after: first } },
      ])
      const branches = `${site.url}/api/v1/repos${repository.path}/branches`
      const headers = { authorization: `token ${person.token}` }
      expect(await (await fetch(branches, { headers })).json()).toMatchObject([{ name }])
      const { storage_key } = await rowOf(site, repository)
      expect(await findRef(jobContext(site.services, 'test'), storage_key, 'heads', name)).toMatchObject({
        name,
        commit: { sha: first },
      })
      await gitOk(['push', '-q', remote, 'main:later'], { cwd: local })
      expect(await rowOf(site, repository)).toMatchObject({ branch_count: 2, default_branch: 'later' })
      expect(await gitOk(['--git-dir', repository.directory, 'symbolic-ref', 'HEAD'])).toBe(
        'refs/heads/later',
      )
    },
  )

  it('repairs HEAD if a crash separated it from the default branch', async () => {
    const { repository, local, remote } = await prepare()
    await gitOk(['push', '-q', remote, 'main', 'main:side'], { cwd: local })
    const inside = (...args: string[]) => gitOk(['--git-dir', repository.directory, ...args])
    await inside('symbolic-ref', 'HEAD', 'refs/heads/side')
    await gitOk(['push', '-q', remote, 'main:third'], { cwd: local })
    expect(await inside('symbolic-ref', 'HEAD')).toBe('refs/heads/main')
    expect((await rowOf(site, repository)).default_branch).toBe('main')
  })

  it('of only tags leaves the repository without a default branch, but not empty', async () => {
    const { repository, local, remote } = await prepare()
    await gitOk(['tag', 'v1'], { cwd: local })
    await gitOk(['push', '-q', remote, 'v1'], { cwd: local })
    expect(await rowOf(site, repository)).toMatchObject({ is_empty: false, branch_count: 0 })
    await gitOk(['push', '-q', remote, 'main:later'], { cwd: local })
    expect(await rowOf(site, repository)).toMatchObject({ branch_count: 1, default_branch: 'later' })
  })

  it('is recorded even if very many branches are named below the default branch', async () => {
    const { repository, local, first, remote } = await prepare()
    await gitOk(['push', '-q', repository.directory, 'main:side'], { cwd: local })
    const deep = `${'d'.repeat(200)}/`.repeat(15)
    const names = Array.from({ length: 400 }, (_, index) => `refs/heads/main/${deep}${index + 100}`)
    // In the one file that Git packs refs into: making them one by one takes half a minute.
    const packed = names.map(name => `${first} ${name}\n`).join('')
    await writeFile(join(repository.directory, 'packed-refs'), `# pack-refs with: sorted\n${packed}`)
    await gitOk(['push', '-q', remote, `main:main/${deep}last`], { cwd: local })
    expect(await rowOf(site, repository)).toMatchObject({ branch_count: 402, default_branch: 'side' })
    expect((await recordedEvents(site, repository)).at(-1)).toMatchObject({ facts: { after: first } })
  })

  it('of very many refs records each of them, and the row counts all', async () => {
    const { repository, local, first, remote } = await prepare()
    const names = Array.from({ length: 120 }, (_, index) => `branch-${String(index).padStart(3, '0')}`)
    const input = names.map(name => `create refs/heads/${name} ${first}\n`).join('')
    await gitOk(['update-ref', '--stdin'], { cwd: local, input })
    await gitOk(['push', '-q', '--all', remote], { cwd: local })
    expect((await rowOf(site, repository)).branch_count).toBe(121)
    const events = await recordedEvents(site, repository)
    expect(new Set(events.map(event => event.facts.ref)).size).toBe(121)
    expect(events.filter(event => event.facts.quiet).length).toBe(2 * 71)
  })

  it('with SHA-256 is accepted by a SHA-256 repository', async () => {
    const person = await makePerson(site)
    const repository = await makeGitRepository(site, person.account, { object_format: 'sha256' })
    const local = work.path()
    const id = await startLocal(local, 'sha256')
    await gitOk(['push', '-q', addressOf(site, repository, person), 'main'], { cwd: local })
    expect(id).toMatch(/^[0-9a-f]{64}$/)
    expect(await refsOf(repository)).toEqual({ 'refs/heads/main': id })
    expect((await recordedEvents(site, repository)).map(event => event.kind)).toEqual([
      'ref.created',
      'git.pushed',
    ])
  })

  it('of refs other than branches, tags and notes is refused for these only, whatever their names', async () => {
    const { repository, local, first, remote } = await prepare()
    const odd = [`refs/replace/${first}`, 'refs/hidden/x', 'refs/pull/1/head', 'refs/x', 'refs/notesx/a']
    const refspecs = ['main', ...odd.map(ref => `main:${ref}`), 'main:refs/notes/commits']
    const { code, stderr } = await git(['push', remote, ...refspecs], { cwd: local })
    expect(code).not.toBe(0)
    for (const ref of odd) expect(stderr).toMatch(new RegExp(`remote rejected.* -> ${ref} `))
    expect(await refsOf(repository)).toEqual({ 'refs/heads/main': first, 'refs/notes/commits': first })
  })

  it('on top of a replaced commit is accepted, and pages show the commit that clones get', async () => {
    const { person, repository, local, first, remote } = await prepare()
    await gitOk(['push', '-q', remote, 'main'], { cwd: local })
    await gitOk(['checkout', '-q', '--orphan', 'other'], { cwd: local })
    const other = await commit(local, 'What only pages would show')
    await gitOk(['push', '-q', remote, 'other'], { cwd: local })
    const replaced = [`create refs/replace/${first} ${other}`, `create refs/replace/${other} ${first}`, '']
    await gitOk(['--git-dir', repository.directory, 'update-ref', '--stdin'], { input: replaced.join('\n') })
    const headers = { authorization: `token ${person.token}` }
    const branches = await fetch(`${site.url}/api/v1/repos${repository.path}/branches`, { headers })
    const shown = (await branches.json()) as Branch[]
    expect(Object.fromEntries(shown.map(({ name, commit: { message } }) => [name, message]))).toEqual({
      main: 'A commit\n',
      other: 'What only pages would show\n',
    })
    await gitOk(['checkout', '-q', 'main'], { cwd: local })
    const next = await commit(local)
    await gitOk(['push', '-q', remote, 'main'], { cwd: local })
    expect((await recordedEvents(site, repository)).at(-1)).toMatchObject({
      facts: { before: first, after: next, commits: 1, forced: false },
    })
  })

  it('that is refused leaves no event, no change of the row and no spool file', async () => {
    const { repository, local, remote } = await prepare()
    await gitOk(['push', '-q', remote, 'main'], { cwd: local })
    const before = await rowOf(site, repository)
    await gitOk(['commit', '-q', '--amend', '-m', 'Rewritten'], { cwd: local })
    // The server's own check: with a lease on what is not there the client sends it and the server refuses.
    const absent = `--force-with-lease=main:${'1'.repeat(40)}`
    expect((await git(['push', absent, remote, 'main'], { cwd: local })).code).toBe(1)
    expect(await rowOf(site, repository)).toEqual(before)
    expect(await recordedEvents(site, repository)).toHaveLength(2)
  })
})
