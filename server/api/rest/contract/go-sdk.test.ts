import { beforeAll, describe, expect, it } from 'vitest'
import { type Answer, call } from '@/testing/call'
import { base64, goFileOptions } from '@/testing/go-client'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
let ada: Person

beforeAll(async () => {
  ada = await makePerson(site)
})

/** Creates a repository with the options of the suite, and returns a function that sends requests below its path. */
async function makeRepository(name: string) {
  const body = {
    name,
    description: `A test Repo: ${name}`,
    private: false,
    auto_init: true,
    template: false,
    gitignores: 'C,C++',
    license: 'MIT',
    readme: 'Default',
    issue_labels: 'Default',
    trust_model: '',
    default_branch: 'main',
    object_format_name: '',
  }
  expect((await call(site, 'POST', '/user/repos', { as: ada, body })).status).toBe(201)
  return (method: string, path: string, sent?: object): Promise<Answer> =>
    call(site, method, `/repos/${ada.name}/${name}/${path}`, { as: ada, ...(sent && { body: sent }) })
}

const idOf = async (send: Awaited<ReturnType<typeof makeRepository>>, branch: string): Promise<string> =>
  (await send('GET', `branches/${branch}`)).body.commit.id

const note = 'NOTHING IS HERE\n'

describe('what the tests of the Go SDK expect', () => {
  it('of files: repo_file', async () => {
    const send = await makeRepository('files')
    const raw = async (path: string, ref: string) => await send('GET', `raw/${path}?ref=${ref}`)
    expect((await raw('README.md', 'main')).text).toBe('# files\n\nA test Repo: files')
    const path = 'A+%23&%C3%A4'
    const at = `contents/${path}`
    const create = goFileOptions({ message: 'create file A+#&ä', content: base64('fileA\n') })
    const created = await send('POST', at, create)
    expect([created.status, (await raw(path, 'main')).text]).toEqual([201, 'fileA\n'])
    const { sha } = created.body.content
    const update = goFileOptions({ content: base64('fileA\n\nand a new line\n'), sha, from_path: '' })
    const updated = await send('PUT', at, update)
    const { content } = updated.body
    expect(updated.status).toBe(200)
    expect((await send('GET', `${at}?ref=main`)).body).toEqual(content)
    const remove = goFileOptions({ message: 'Delete File A+#&ä', sha: content.sha })
    expect((await send('DELETE', at, remove)).status).toBe(200)
    expect((await raw(path, 'main')).status).toBe(404)

    const license = (await send('GET', 'contents/LICENSE?ref=')).body
    const overwrite = goFileOptions({ branch: 'main', new_branch: 'overwrite-a+/&licence' })
    const moved = { ...overwrite, content: base64(note), sha: license.sha, from_path: 'LICENSE' }
    expect((await send('PUT', 'contents/LICENSE', moved)).status).toBe(200)
    expect((await raw('LICENSE', 'overwrite-a%2B%2F%26licence')).text).toBe(note)
    expect((await raw('LICENSE', '')).text).toBe(Buffer.from(license.content, 'base64').toString())

    expect((await send('GET', 'contents/?ref=')).body).toHaveLength(3)
    expect((await send('GET', 'contents/hehe/?ref=')).status).toBe(404)
    expect((await send('GET', 'contents/?ref=no-ref-at-all')).status).toBe(404)
    expect(license).toMatchObject({ type: 'file', path: 'LICENSE' })
  })

  it('of commits: repo_commit', async () => {
    const send = await makeRepository('commits')
    const [first] = (await send('GET', 'commits?stat=true&verification=true&files=true')).body
    expect(first.commit.message).toBe('Initial commit\n')
    expect(first.commit.verification.reason).toBe('gpg.error.not_signed_commit')
    expect(first.stats).toEqual({ total: 109, additions: 109, deletions: 0 })

    const committer = { name: 'Cookie', email: 'cookie@example.test' }
    const options = goFileOptions({ message: "It's not a license!", committer })
    const { body } = await send('POST', 'contents/NOTE', { ...options, content: base64('But is it?\n') })
    expect(body.commit.author).toMatchObject(committer)
    const diff =
      'diff --git a/NOTE b/NOTE\nnew file mode 100644\nindex 0000000..f27a20a\n--- /dev/null\n+++ b/NOTE\n' +
      '@@ -0,0 +1 @@\n+But is it?\n'
    expect((await send('GET', `git/commits/${body.commit.sha}.diff`)).text).toBe(diff)
    const patch = (await send('GET', `git/commits/${body.commit.sha}.patch`)).text
    expect(patch.startsWith(`From ${body.commit.sha} `)).toBe(true)
    expect(patch).toContain('\nFrom: Cookie <cookie@example.test>\n')
    expect(patch).toContain(
      "Subject: [PATCH] It's not a license!\n\n---\n NOTE | 1 +\n 1 file changed, 1 insertion(+)\n" +
        ` create mode 100644 NOTE\n\n${diff}`,
    )
  })

  it('of refs: repo_refs', async () => {
    const send = await makeRepository('refs')
    await send('POST', 'branches', { new_branch_name: 'feature', old_branch_name: 'main' })
    await send('POST', 'tags', { tag_name: 'v1.0.0', message: 'First', target: 'main' })
    const refs = async (path: string) => {
      const { status, body } = await send('GET', path)
      return status === 200 ? body.map(({ ref }: { ref: string }) => ref) : status
    }
    const heads = ['refs/heads/feature', 'refs/heads/main']
    expect(await refs('git/refs')).toEqual([...heads, 'refs/tags/v1.0.0'])
    expect(await refs('git/refs/heads')).toEqual(heads)
    expect(await refs('git/refs/heads/feature')).toEqual(['refs/heads/feature'])
    expect(await refs('git/refs/heads/feat')).toEqual(['refs/heads/feature'])
    expect(await refs('git/refs/tags/v1.0.0')).toEqual(['refs/tags/v1.0.0'])
    expect(await refs('git/refs/heads/does-not-exist')).toBe(404)
  })

  it('of trees: repo_trees', async () => {
    const send = await makeRepository('trees')
    const { body } = await send('GET', 'git/trees/main?recursive=false&page=1&per_page=50')
    expect(body).toMatchObject({ total_count: 3, truncated: false })
    const paths = body.tree.map(({ path, type }: { path: string; type: string }) => [path, type])
    expect(paths).toEqual(['.gitignore', 'LICENSE', 'README.md'].map(path => [path, 'blob']))
  })

  it('of branches: repo_branch', async () => {
    const send = await makeRepository('branches')
    const { sha } = (await send('GET', 'contents/README.md?ref=main')).body
    const change = { ...goFileOptions({ branch: 'main' }), content: base64(note) }
    await send('PUT', 'contents/README.md', { ...change, new_branch: 'update', sha, from_path: '' })
    await send('POST', 'contents/WOW-file', { ...change, new_branch: 'feature' })
    const listed = (await send('GET', 'branches')).body
    expect(listed.map(({ name }: { name: string }) => name).sort()).toEqual(['feature', 'main', 'update'])
    for (const branch of listed) expect((await send('GET', `branches/${branch.name}`)).body).toEqual(branch)

    const [main, update, feature] = [
      await idOf(send, 'main'),
      await idOf(send, 'update'),
      await idOf(send, 'feature'),
    ]
    const made = await send('POST', 'branches', { new_branch_name: 'NewBranch', old_branch_name: '' })
    expect((await send('GET', 'branches/NewBranch')).body).toEqual(made.body)
    const move = async (new_commit_id: string, old_commit_id: string, force = false) =>
      (await send('PUT', 'branches/NewBranch', { new_commit_id, old_commit_id, force })).status
    expect(await move(update, main)).toBe(204)
    expect(await move(update, main)).toBe(422)
    expect(await move(feature, update)).toBe(422)
    expect(await move(feature, update, true)).toBe(204)
    expect(await idOf(send, 'NewBranch')).toBe(feature)
    expect((await send('PATCH', 'branches/NewBranch', { name: 'renamed' })).status).toBe(204)
    expect(await idOf(send, 'renamed')).toBe(feature)

    expect((await send('DELETE', 'branches/main')).status).toBe(403)
    expect((await send('DELETE', 'branches/feature')).status).toBe(204)
    expect((await send('GET', 'branches/feature')).status).toBe(404)
    expect((await send('GET', 'branches')).body).toHaveLength(3)
  })

  it('of tags: repo_tag', async () => {
    const send = await makeRepository('tags')
    const message = 'A tag message.\n\n:)'
    const { status, body: tag } = await send('POST', 'tags', { tag_name: 'tag1', message, target: 'main' })
    expect([status, tag.message]).toEqual([201, message])
    expect(tag.zipball_url).toBe(`${site.url}/${ada.name}/tags/archive/tag1.zip`)
    expect((await send('GET', 'tags')).body).toEqual([tag])
    expect((await send('GET', 'tags/tag1')).body).toEqual(tag)
    const annotation = (await send('GET', `git/tags/${tag.id}`)).body
    const url = `${site.url}/api/v1/repos/${ada.name}/tags/git/tags/${tag.id}`
    expect(annotation).toMatchObject({ tag: 'tag1', sha: tag.id, url, object: { type: 'commit' } })
    expect(annotation.message).toBe(`${message}\n`)
    expect((await send('DELETE', 'tags/tag1')).status).toBe(204)
    expect((await send('GET', 'tags')).body).toEqual([])
  })

  it('of statuses: status', async () => {
    const send = await makeRepository('statuses')
    const [{ sha }] = (await send('GET', 'commits?sha=main')).body
    const combined = async () => (await send('GET', `commits/${sha}/status`)).body
    expect(await combined()).toMatchObject({ total_count: 0, statuses: [] })
    expect((await send('GET', `statuses/${sha}`)).body).toEqual([])
    for (const [state, context, target_url] of [
      ['pending', 'ultraCI', 'http://ci.example.test'],
      ['warning', 'warn/bot', 'https://bot.example.test'],
      ['failure', 'ultraCI', 'http://ci.example.test'],
      ['pending', 'ultraCI', ''],
      ['success', 'ultraCI', ''],
    ]) {
      const made = await send('POST', `statuses/${sha}`, { state, target_url, description: '', context })
      expect([made.status, made.body.status]).toEqual([201, state])
    }
    expect((await send('GET', `statuses/${sha}`)).body).toHaveLength(5)
    const { state, total_count, statuses } = await combined()
    expect([state, total_count, statuses.length]).toEqual(['failure', 2, 2])
  })
})
