// @module-tag embedded
import { giteaApi } from 'gitea-js'
import { beforeAll, describe, expect, it } from 'vitest'
import { type CodeRepository, makeCode } from '@/testing/code'
import { base64 } from '@/testing/go-client'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
let ada: Person
let code: CodeRepository
let at: [owner: string, repo: string]
const repos = () => giteaApi(site.url, { token: ada.token }).repos

beforeAll(async () => {
  ada = await makePerson(site)
  code = await makeCode(site, ada, { 'a.txt': 'a\n' })
  at = [ada.name, code.name]
})

describe('unmodified gitea-js', () => {
  it('creates, finds, renames, and deletes a branch', async () => {
    const made = await repos().repoCreateBranch(...at, {
      new_branch_name: 'release/1.0',
      old_ref_name: 'main',
    })
    expect([made.status, made.data.name]).toEqual([201, 'release/1.0'])
    expect((await repos().repoGetBranch(...at, 'release/1.0')).data).toEqual(made.data)
    // Its types do not know the filter yet.
    const filter: object = { q: 'RELEASE', limit: 5 }
    expect((await repos().repoListBranches(...at, filter)).data).toEqual([made.data])
    expect((await repos().repoUpdateBranch(...at, 'release/1.0', { name: 'stable' })).status).toBe(204)
    expect((await repos().repoGetBranch(...at, 'stable')).data.commit).toEqual(made.data.commit)
    expect((await repos().repoDeleteBranch(...at, 'stable')).status).toBe(204)
    await expect(repos().repoGetBranch(...at, 'stable')).rejects.toMatchObject({ status: 404 })
    await expect(repos().repoDeleteBranch(...at, 'main')).rejects.toMatchObject({ status: 403 })
  })

  it('creates, lists, and deletes an annotated tag', async () => {
    const made = await repos().repoCreateTag(...at, { tag_name: 'v1/rc', message: 'One', target: 'main' })
    expect([made.status, made.data.message]).toEqual([201, 'One'])
    expect((await repos().repoGetTag(...at, 'v1/rc')).data).toEqual(made.data)
    expect((await repos().repoListTags(...at)).data).toEqual([made.data])
    const { data: annotation } = await repos().getAnnotatedTag(...at, String(made.data.id))
    expect(annotation).toMatchObject({ tag: 'v1/rc', object: { sha: made.data.commit?.sha } })
    expect((await repos().repoDeleteTag(...at, 'v1/rc')).status).toBe(204)
    await expect(repos().repoGetTag(...at, 'v1/rc')).rejects.toMatchObject({ status: 404 })
  })

  it('creates, updates, and deletes a file', async () => {
    const made = await repos().repoCreateFile(...at, 'docs/guide.md', { content: base64('Read me\n') })
    expect([made.status, made.data.commit?.message]).toEqual([201, 'Add docs/guide.md\n'])
    const { data: file } = await repos().repoGetContents(...at, 'docs/guide.md')
    expect(made.data.content).toMatchObject({ sha: file.sha, content: base64('Read me\n') })
    const update = { content: base64('Read\n'), sha: String(file.sha), new_branch: 'shorter' }
    const updated = await repos().repoUpdateFile(...at, 'docs/guide.md', update)
    expect([updated.status, updated.data.content?.size]).toEqual([200, 5])
    const remove = { sha: String(file.sha), message: 'Gone', branch: 'main' }
    const removed = await repos().repoDeleteFile(...at, 'docs/guide.md', remove)
    expect([removed.status, removed.data.content, removed.data.commit?.message]).toEqual([
      200,
      null,
      'Gone\n',
    ])
    await expect(repos().repoGetContents(...at, 'docs')).rejects.toMatchObject({ status: 404 })
    const kept = await repos().repoGetRawFile(...at, 'docs/guide.md', { ref: 'shorter' }, { format: 'text' })
    expect(kept.data).toBe('Read\n')
  })

  it('changes several files in one commit', async () => {
    const { data: file } = await repos().repoGetContents(...at, 'a.txt')
    const { status, data } = await repos().repoChangeFiles(...at, {
      message: 'Move on',
      files: [
        { operation: 'delete', path: 'a.txt', sha: file.sha ?? '' },
        { operation: 'create', path: 'b.txt', content: base64('b\n') },
      ],
    })
    expect([status, data.files?.map(each => each?.path)]).toEqual([201, [undefined, 'b.txt']])
    const { data: commit } = await repos().repoGetSingleCommit(...at, String(data.commit?.sha))
    expect(commit.files?.map(({ filename, status }) => [filename, status])).toEqual([
      ['a.txt', 'removed'],
      ['b.txt', 'added'],
    ])
  })

  it('reports, lists, and combines statuses', async () => {
    const sha = await code.git('rev-parse', 'main')
    const { data: fresh } = await repos().repoGetCombinedStatusByRef(...at, sha)
    expect(fresh).toMatchObject({ state: 'pending', total_count: 0, statuses: [] })
    for (const state of ['pending', 'failure', 'warning'] as const) {
      const context = state === 'warning' ? 'lint' : 'unit'
      const made = await repos().repoCreateStatus(...at, sha, { state, context })
      expect([made.status, made.data.status]).toEqual([201, state])
    }
    expect((await repos().repoListStatuses(...at, sha)).data).toHaveLength(3)
    const oldest = await repos().repoListStatusesByRef(...at, 'main', { sort: 'oldest', limit: 1 })
    expect(oldest.data).toMatchObject([{ id: 1 }])
    const { data } = await repos().repoGetCombinedStatusByRef(...at, 'main')
    expect([data.total_count, data.statuses?.length, data.state]).toEqual([2, 2, 'failure'])
  })
})
