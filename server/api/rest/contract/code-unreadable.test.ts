import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { Browser } from '@/testing/browser'
import { call } from '@/testing/call'
import { makeGitRepository } from '@/testing/git-repository'
import { Pack } from '@/testing/pack'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
const absent = 'd'.repeat(40)
let path: string
let commit: string

beforeAll(async () => {
  const repository = await makeGitRepository(site, (await makePerson(site)).account, { is_empty: false })
  const pack = new Pack()
  const tree = pack.tree([{ mode: '40000', name: Buffer.from('gone'), id: absent }])
  const person = 'Bob <bob@example.test> 1790000000 +0000'
  const text = `tree ${tree}\nparent ${absent}\nauthor ${person}\ncommitter ${person}\n\nDamaged\n`
  commit = pack.add('commit', text)
  await pack.writeTo(repository.directory)
  await writeFile(join(repository.directory, 'refs/heads/main'), `${commit}\n`)
  path = repository.path
})

it.each(['commits', 'git/commits/main', 'git/trees/main?recursive=true', 'languages'])(
  'GET /repos/{owner}/{repo}/%s returns 422 if Git cannot read what it needs',
  async rest => {
    const { status, body } = await call(site, 'GET', `/repos${path}/${rest}`)
    expect(status).toBe(422)
    expect(body.message).toContain('Git cannot read this')
  },
)

it.each(['diff', 'patch'])(
  'GET /{owner}/{repo}/commit/{sha}.%s returns 422 if Git cannot read it',
  async form => {
    const response = await fetch(`${site.url}${path}/commit/${commit}.${form}`)
    expect(response.status).toBe(422)
  },
)

it('the page of a directory shows its files although Git cannot read its history', async () => {
  const [, owner, repo] = path.split('/')
  const input = { owner, repo, kind: 'branch', path: 'main' }
  const { data } = await new Browser(site).query('code.pages.showPath', input)
  expect(data).toMatchObject({ commits: null, content: { entries: [{ name: 'gone', last: null }] } })
})
