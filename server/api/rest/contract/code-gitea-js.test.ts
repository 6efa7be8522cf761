// @module-tag embedded
import { giteaApi } from 'gitea-js'
import { beforeAll, describe, expect, it } from 'vitest'
import { type CodeRepository, makeCode } from '@/testing/code'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
let ada: Person
let code: CodeRepository
let first: string
let tip: string
const repos = () => giteaApi(site.url, { token: ada.token }).repos
const guide = Buffer.from('Read me\n').toString('base64')

beforeAll(async () => {
  ada = await makePerson(site)
  code = await makeCode(site, ada, { 'main.go': 'package main\n', 'docs/guide.md': 'Read me\n' })
  first = await code.git('rev-parse', 'main')
  tip = await code.commit({ 'main.go': 'package engine\n' })
  await code.git('tag', '-a', '-m', 'One', 'v1', tip)
})

describe('unmodified gitea-js', () => {
  it('reads files and directories', async () => {
    const [at, name] = [ada.name, code.name]
    const { data: root } = await repos().repoGetContentsList(at, name, { ref: 'v1' })
    expect(root.map(({ path, type }) => [path, type])).toEqual([
      ['docs', 'dir'],
      ['main.go', 'file'],
    ])
    const { data: file } = await repos().repoGetContents(at, name, 'docs/guide.md')
    expect(file).toMatchObject({ type: 'file', encoding: 'base64', content: guide, size: 8 })
    const raw = await repos().repoGetRawFile(at, name, 'docs/guide.md', { ref: 'main' }, { format: 'text' })
    expect(raw.data).toBe('Read me\n')
    const media = await repos().repoGetRawFileOrLfs(at, name, 'docs/guide.md', {}, { format: 'text' })
    expect(media.data).toBe('Read me\n')
    const { data: blob } = await repos().getBlob(at, name, String(file.sha))
    expect(blob).toMatchObject({ content: guide, encoding: 'base64', sha: file.sha })
    const { data: tree } = await repos().getTree(at, name, 'main', { recursive: true })
    expect(tree.tree?.map(({ path }) => path)).toEqual(['docs', 'docs/guide.md', 'main.go'])
    await expect(repos().repoGetContents(at, name, 'none')).rejects.toMatchObject({ status: 404 })
  })

  it('reads commits, comparisons, and their texts', async () => {
    const [at, name] = [ada.name, code.name]
    const wanted = { sha: 'main', limit: 1, stat: false, verification: false, files: false }
    const { data: commits, headers } = await repos().repoGetAllCommits(at, name, wanted)
    expect([commits.map(({ sha }) => sha), headers.get('x-total-count')]).toEqual([[tip], '2'])
    const { data: commit } = await repos().repoGetSingleCommit(at, name, 'v1')
    expect(commit).toMatchObject({ sha: tip, stats: { total: 2 }, files: [{ filename: 'main.go' }] })
    const { data: compared } = await repos().repoCompareDiff(at, name, `${first}...main`)
    expect(compared).toMatchObject({ total_commits: 1, commits: [{ sha: tip }] })
    const patch = await repos().repoDownloadCommitDiffOrPatch(at, name, tip, 'patch', { format: 'text' })
    expect(patch.data).toMatch(/^From [0-9a-f]{40} [\s\S]*\+package engine/)
    await expect(repos().repoGetCommitPullRequest(at, name, tip)).rejects.toMatchObject({ status: 404 })
  })

  it('reads refs, tags, archives, and what the repository is made of', async () => {
    const [at, name] = [ada.name, code.name]
    const { data: refs } = await repos().repoListAllGitRefs(at, name)
    expect(refs.map(({ ref }) => ref)).toEqual(['refs/heads/main', 'refs/tags/v1'])
    const { data: tags } = await repos().repoListGitRefs(at, name, 'tags/v1')
    expect(tags.map(({ object }) => object?.type)).toEqual(['tag'])
    const { data: tag } = await repos().getAnnotatedTag(at, name, String(tags[0]?.object?.sha))
    expect(tag).toMatchObject({ tag: 'v1', message: 'One\n', object: { type: 'commit', sha: tip } })
    const archive = await repos().repoGetArchive(at, name, 'v1.zip', { format: 'blob' })
    expect((archive.data as unknown as Blob).size).toBeGreaterThan(100)
    expect((await repos().repoGetLanguages(at, name)).data).toEqual({ Go: 15 })
    expect((await repos().repoGetLicenses(at, name)).data).toEqual([])
    expect((await repos().listActionTasks(at, name)).data).toEqual({ workflow_runs: [], total_count: 0 })
    expect((await repos().repoListPullRequests(at, name)).data).toEqual([])
  })
})
