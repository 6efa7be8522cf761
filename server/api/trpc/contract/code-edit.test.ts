import { beforeAll, describe, expect, it } from 'vitest'
import { type Browser, signIn } from '@/testing/browser'
import { call } from '@/testing/call'
import { type CodeRepository, makeCode } from '@/testing/code'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
let ada: Person
let code: CodeRepository
let path: { owner: string; repo: string }
let browser: Browser

beforeAll(async () => {
  ada = await makePerson(site)
  code = await makeCode(site, ada, {
    'docs/a.txt': '\ufeffone\r\n',
    'wide.txt': Buffer.from('\ufeffa', 'utf16le'),
    'latin.txt': Buffer.from([0x61, 0xe9]),
    'data.bin': Buffer.from([1, 0, 2]),
    'large.txt': 'x'.repeat(1024 * 1024 + 1),
    link: { text: 'docs', mode: '120000' },
    module: { submodule: 'a'.repeat(40) },
  })
  path = { owner: ada.name, repo: code.name }
  browser = await signIn(site, ada)
})

describe('code.edit.open', () => {
  const open = async (address: string) => await browser.query('code.edit.open', { ...path, path: address })

  it('returns the text as the file has it, and an unused name for a branch', async () => {
    await code.git('branch', `${ada.name}-patch-1`)
    const { data } = await open('main/docs/a.txt')
    expect(data).toMatchObject({
      branch: 'main',
      commit: await code.git('rev-parse', 'main'),
      path: 'docs/a.txt',
      file: { id: await code.git('rev-parse', 'main:docs/a.txt'), text: '\ufeffone\r\n', obstacle: null },
      suggested_branch: `${ada.name}-patch-2`,
    })
    expect(data.signature).toMatch(/^.+ <.+@.+>$/)
  })

  it.each([
    ['wide.txt', 'encoding'],
    ['latin.txt', 'encoding'],
    ['data.bin', 'binary'],
    ['large.txt', 'large'],
    ['link', 'symlink'],
    ['module', 'submodule'],
  ])('says why %s cannot be edited: %s', async (name, obstacle) => {
    expect((await open(`main/${name}`)).data.file).toMatchObject({ text: null, obstacle })
  })

  it('tells a directory from nothing, and begins with any branch', async () => {
    await code.git('branch', 'feature/one')
    expect((await open('feature/one/docs')).data).toMatchObject({ branch: 'feature/one', isDirectory: true })
    expect((await open('main/new/deep')).data).toMatchObject({
      path: 'new/deep',
      file: null,
      isDirectory: false,
    })
    expect((await open('unknown/a.txt')).error?.data.kind).toBe('notFound')
  })

  it('can add files to an empty repository, in its default branch', async () => {
    const body = { name: 'empty', default_branch: 'trunk/a' }
    await call(site, 'POST', '/user/repos', { as: ada, body })
    const at = { owner: ada.name, repo: 'empty' }
    const { data } = await browser.query('code.edit.open', { ...at, path: 'trunk/a/docs' })
    expect(data).toMatchObject({ branch: 'trunk/a', commit: null, path: 'docs', file: null })
  })

  it('is only for people who can push', async () => {
    const { error } = await (await signIn(site, await makePerson(site))).query('code.edit.open', {
      ...path,
      path: 'main/docs/a.txt',
    })
    expect(error?.data.kind).toBe('forbidden')
  })
})

describe('code.edit.findState and findExisting', () => {
  it('return what is in a branch now', async () => {
    const find = async (branch: string, file: string) =>
      (await browser.query('code.edit.findState', { ...path, branch, path: file })).data
    const id = await code.git('rev-parse', 'main:docs/a.txt')
    expect(await find('main', 'docs/a.txt')).toMatchObject({ id })
    expect(await find('main', 'docs')).toMatchObject({ id: null })
    expect(await find('unknown', 'docs/a.txt')).toEqual({ commit: null, id: null })
    const paths = ['docs', 'docs/a.txt', 'docs/b.txt', 'new/a.txt']
    const { data } = await browser.query('code.edit.findExisting', { ...path, branch: 'main', paths })
    expect(data).toEqual(['docs', 'docs/a.txt'])
  })
})

describe('code.edit.previewMarkdown', () => {
  it('returns sanitized HTML whose links lead to the branch', async () => {
    const text = '[b](b.md) <script>alert(1)</script>'
    const input = { ...path, branch: 'feature/one', path: 'docs/a.md', text }
    const { data } = await browser.query('code.edit.previewMarkdown', input)
    expect(data.html).toContain(`/${ada.name}/${code.name}/src/branch/feature/one/docs/b.md`)
    expect(data.html).not.toContain('<script')
  })
})
