import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { productVersion } from '@/server/kernel/version'
import { root } from './run.mjs'

const folders = ['app', 'db', 'docs', 'server', 'testing']
const pages = [
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'README.md',
  'SECURITY.md',
  ...(
    await Promise.all(
      folders.map(async folder =>
        (await readdir(join(root, folder), { recursive: true })).map(name => `${folder}/${name}`),
      ),
    )
  )
    .flat()
    .filter(path => path.endsWith('.md') && !path.includes('/node_modules/')),
]
const text = (path: string): Promise<string> => readFile(join(root, path), 'utf8')
const linesOf = async (path: string): Promise<number> => (await text(path)).trimEnd().split('\n').length

describe.each(pages)('%s', path => {
  it('links to files and headings that exist', async () => {
    const links = [...(await text(path)).matchAll(/(?:\]\(|srcset="|src=")([^)"\s]+)/g)].map(
      ([, link = '']) => link,
    )
    for (const link of links.filter(each => !/^(https?:|mailto:|\/)/.test(each))) {
      const [file = '', heading] = link.split('#')
      const target = file === '' ? path : join(dirname(path), file)
      expect(existsSync(join(root, target)), link).toBe(true)
      if (heading) expect(headingsOf(await text(target)), link).toContain(heading)
    }
  })

  it('has sections with different titles', async () => {
    const titles = [...(await text(path)).matchAll(/^## (.+)$/gm)].map(([, title]) => title)
    expect(titles).toEqual([...new Set(titles)])
  })

  it('names source files that exist', async () => {
    const names = [...(await text(path)).matchAll(/`([\w./-]+\/[\w./-]+\.(?:ts|tsx|mjs))`/g)].map(
      ([, name = '']) => name,
    )
    const isThere = (name: string): boolean =>
      [dirname(path), '', 'app', 'server'].some(folder => existsSync(join(root, folder, name)))
    expect(names.filter(name => !isThere(name))).toEqual([])
  })
})

it.each(pages.filter(path => path.endsWith('/README.md')))('%s has at most 80 lines', async path => {
  expect(await linesOf(path)).toBeLessThanOrEqual(80)
})

it('ARCHITECTURE.md has at most 200 lines, and README.md at most 400 words', async () => {
  expect(await linesOf('ARCHITECTURE.md')).toBeLessThanOrEqual(200)
  expect((await text('README.md')).split(/\s+/).length).toBeLessThanOrEqual(400)
})

it('CHANGELOG.md describes the current version', async () => {
  expect(JSON.parse(await text('package.json')).version).toBe(productVersion)
  expect(await text('CHANGELOG.md')).toContain(`\n## ${productVersion}\n`)
})

it('docs/settings.md describes exactly the settings that the server reads', async () => {
  const sources = await Promise.all(
    ['server/kernel/config.ts', 'server/kernel/backup-settings.ts', 'server/kernel/storage/settings.ts'].map(
      text,
    ),
  )
  const read = new Set([...sources.join('\n').matchAll(/^ {2,4}([A-Z][A-Z\d_]+):/gm)].map(([, name]) => name))
  expect(read.size).toBeGreaterThan(30)
  const described = new Set(
    [...(await text('docs/settings.md')).matchAll(/^\| `([A-Z\d_]+)`/gm)].map(([, name]) => name),
  )
  expect([...described].sort()).toEqual([...read].sort())
})

function headingsOf(page: string): string[] {
  return [...page.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )
}
