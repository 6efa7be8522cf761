import { describe, expect, it } from 'vitest'
import { refuseChanges } from '@/db/refuse-changes'
import { type Browser, signIn } from '@/testing/browser'
import { call } from '@/testing/call'
import { makeCode } from '@/testing/code'
import { makeJobToken } from '@/testing/job-tokens'
import { makePerson, makeToken, withPassword } from '@/testing/people'
import { mount, type Site, useSite } from '@/testing/site'

/** Creates a private repository with an administrator who is not its owner, and requests that change it. */
async function makeScene(site: Site) {
  const [owner, admin] = [await makePerson(site), await makePerson(site)]
  const { id, name, path, git } = await makeCode(site, owner, { a: '1', b: '2' })
  for (const ref of ['heads/one', 'heads/two', 'heads/three', 'tags/v1']) {
    await git('update-ref', `refs/${ref}`, 'main')
  }
  const setUp = async (method: string, rest: string, body: object) =>
    (await call(site, method, path + rest, { as: owner, body })).body
  await setUp('PATCH', '', { private: true })
  await setUp('PUT', `/collaborators/${admin.name}`, { permission: 'admin' })
  await setUp('PUT', '/topics', { topics: ['kept', 'old'] })
  const label = await setUp('POST', '/labels', { name: 'bug', color: 'ee0701' })
  const other = await setUp('POST', '/labels', { name: 'other', color: 'ee0701' })

  const [blobA, blobB] = await Promise.all(['main:a', 'main:b'].map(rev => git('rev-parse', rev)))
  const next = await git('commit-tree', '-p', 'main', '-m', 'Next', 'main^{tree}')
  const files = [{ operation: 'create', path: 'c', content: '' }]
  const changes: Change[] = [
    ['git', 'POST', 'branches', {}, { new_branch_name: 'new' }, 'repos.branches.create'],
    ['git', 'PATCH', 'branches/one', { branch: 'one' }, { name: 'uno' }, 'repos.branches.rename'],
    ['git', 'PUT', 'branches/two', { branch: 'two' }, { new_commit_id: next }, 'repos.branches.move'],
    ['git', 'DELETE', 'branches/three', { branch: 'three' }, undefined, 'repos.branches.remove'],
    ['git', 'POST', 'tags', {}, { tag_name: 'new-tag' }, 'repos.tags.create'],
    ['git', 'DELETE', 'tags/v1', { tag: 'v1' }, undefined, 'repos.tags.remove'],
    ['git', 'POST', 'contents', {}, { files }, 'code.changeFiles'],
    ['git', 'POST', 'contents/d', { path: 'd' }, { content: '' }, 'code.createFile'],
    ['git', 'PUT', 'contents/a', { path: 'a' }, { content: '', sha: blobA }, 'code.updateFile'],
    ['git', 'DELETE', 'contents/b', { path: 'b' }, { sha: blobB }, 'code.deleteFile'],
    ['rows', 'POST', 'statuses/main', { sha: 'main' }, { state: 'success' }, 'statuses.create'],
    ['rows', 'POST', 'labels', {}, { name: 'x', color: '0ab' }, 'labels.inRepo.create'],
    ['rows', 'PATCH', `labels/${label.id}`, { id: label.id }, { name: 'y' }, 'labels.inRepo.edit'],
    ['rows', 'DELETE', `labels/${other.id}`, { id: other.id }, undefined, 'labels.inRepo.remove'],
    ['rows', 'PUT', 'topics', {}, { topics: ['kept', 'old', 'new'] }, 'repos.topics.set'],
    ['rows', 'PUT', 'topics/more', { topic: 'more' }, undefined, 'repos.topics.add'],
    ['rows', 'DELETE', 'topics/old', { topic: 'old' }, undefined, 'repos.topics.remove'],
  ]
  /** Everything that the changes would change. */
  const state = async () => ({
    refs: await git('for-each-ref'),
    events: await site.db.selectFrom('events').select('id').where('repository_id', '=', id).execute(),
    statuses: await site.db
      .selectFrom('commit_statuses')
      .selectAll()
      .where('repository_id', '=', id)
      .execute(),
    labels: await site.db.selectFrom('labels').selectAll().where('repository_id', '=', id).execute(),
    repository: await site.db.selectFrom('repositories').selectAll().where('id', '=', id).execute(),
  })
  return { id, owner, admin, path, repo: { owner: owner.name, repo: name }, changes, state, setUp }
}
type Scene = Awaited<ReturnType<typeof makeScene>>
type Change = [
  kind: 'git' | 'rows',
  method: string,
  path: string,
  values: object,
  body: object | undefined,
  procedure: string,
]

type As = { token: string } | { basic: [string, string] }

type Answered = Record<Change[0], string>

/** Makes every change, and returns the distinct statuses for each kind. */
async function makeAll(
  { changes }: Scene,
  make: (change: Change) => Promise<{ status: number }>,
): Promise<Answered> {
  const answered = { git: new Set<number>(), rows: new Set<number>() }
  for (const change of changes) answered[change[0]].add((await make(change)).status)
  return { git: [...answered.git].join(' '), rows: [...answered.rows].join(' ') }
}

const send = (site: Site, scene: Scene, as: As): Promise<Answered> =>
  makeAll(scene, ([, method, rest, , body]) =>
    call(site, method, `${scene.path}/${rest}`, { as, ...(body && { body }) }),
  )

const submit = (scene: Scene, browser: Browser): Promise<Answered> =>
  makeAll(scene, ([, , , values, body, procedure]) =>
    browser.mutate(procedure, { ...scene.repo, ...values, ...body }),
  )

async function suspend(site: Site, scene: Scene): Promise<Scene> {
  const { id } = scene.admin.account
  await site.db.updateTable('users').set({ prohibit_login: true }).where('id', '=', id).execute()
  return scene
}

async function block(site: Site, scene: Scene): Promise<Scene> {
  const { owner, admin } = scene
  expect((await call(site, 'PUT', `/user/blocks/${admin.name}`, { as: owner })).status).toBe(204)
  return scene
}

const limitedTo = (site: Site, { owner }: Scene, scopes: Parameters<typeof makeToken>[2]) =>
  makeToken(site, owner.account.id, scopes).then(token => ({ token }))

const everyPermission = { contents: 'write', statuses: 'write', issues: 'write' } as const
const jobOf = (site: Site, { id, admin: { account } }: Scene) =>
  makeJobToken(site, { id }, { actor: account, permissions: everyPermission })

/** Who asks for the changes after what has happened, and the statuses that they get. */
const refusals: [who: string, status: number, begin: (site: Site, scene: Scene) => Promise<As>][] = [
  ['a suspended person with a token', 403, async (...of) => (await suspend(...of)).admin],
  ['a suspended person with a password', 403, async (...of) => withPassword((await suspend(...of)).admin)],
  ['a blocked person', 404, async (...of) => (await block(...of)).admin],
  [
    'a blocked person, of a public repository',
    403,
    async (site, scene) => {
      await scene.setUp('PATCH', '', { private: false })
      return (await block(site, scene)).admin
    },
  ],
  ['the owner with a public-only token', 404, (...of) => limitedTo(...of, ['public-only', 'all'])],
  [
    'the owner with a token for reading',
    403,
    (...of) => limitedTo(...of, ['read:repository', 'read:issue', 'write:user']),
  ],
]

describe.skipIf(mount === 'next')('changes of statuses, refs, files, labels and topics', () => {
  const site = useSite()

  it.each(refusals)('are refused for %s with %i, and change nothing', async (_, status, begin) => {
    const scene = await makeScene(site)
    const as = await begin(site, scene)
    const before = await scene.state()
    expect(await send(site, scene, as)).toEqual({ git: `${status}`, rows: `${status}` })
    expect(await scene.state()).toEqual(before)
  })

  // No job can change topics, whoever caused its run.
  it.each([
    ['suspended', suspend, { git: '403', rows: '403' }],
    ['blocked', block, { git: '404', rows: '404 403' }],
  ] as const)('are refused for a job whose person is %s, and change nothing', async (_, refuse, refused) => {
    const scene = await makeScene(site)
    const job = await jobOf(site, scene)
    await refuse(site, scene)
    const before = await scene.state()
    expect(await send(site, scene, job)).toEqual(refused)
    expect(await scene.state()).toEqual(before)
  })

  it('are refused in an archived repository with 423, except for statuses, labels and topics', async () => {
    const scene = await makeScene(site)
    await scene.setUp('PATCH', '', { archived: true })
    const { refs } = await scene.state()
    expect(await send(site, scene, scene.admin)).toEqual({ git: '423', rows: '201 200 204' })
    expect((await scene.state()).refs).toBe(refs)
  })

  it('are refused with the session of a suspended person, and change nothing', async () => {
    const scene = await makeScene(site)
    const browser = await signIn(site, scene.admin)
    await suspend(site, scene)
    const before = await scene.state()
    expect(await submit(scene, browser)).toEqual({ git: '401', rows: '401' })
    expect(await scene.state()).toEqual(before)
  })

  it('are made otherwise, over REST and from pages', async () => {
    const [scene, other] = [await makeScene(site), await makeScene(site)]
    expect(await send(site, scene, scene.admin)).toEqual({ git: '201 204 200', rows: '201 200 204' })
    expect(await submit(other, await signIn(site, other.admin))).toEqual({ git: '200', rows: '200' })
  })
})

describe.skipIf(mount === 'next')('a read-only site', () => {
  const site = useSite()

  it('refuses these changes with 503, over REST and from pages, and changes nothing', async () => {
    const scene = await makeScene(site)
    const browser = await signIn(site, scene.admin)
    Object.assign(site.services.config, { readOnly: true })
    refuseChanges(site.services.database)
    const before = await scene.state()
    expect(await send(site, scene, scene.admin)).toEqual({ git: '503', rows: '503' })
    expect(await submit(scene, browser)).toEqual({ git: '503', rows: '503' })
    expect(await scene.state()).toEqual(before)
  })
})
