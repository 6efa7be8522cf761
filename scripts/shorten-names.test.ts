import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { shortenNames, shortNames } from './shorten-names.mjs'

it('a build has short names for the classes of modules and the file of icons, the same in stylesheets, scripts and pages', async () => {
  const build = await mkdtemp(join(tmpdir(), 'guildhall-classes-'))
  const files = {
    'static/chunks/a.css': '.RyAQVq_row:where(.prc-Label-Label-qG-Zu){color:red}.icon{fill:red}',
    'static/chunks/a.js': '{row:"RyAQVq_row",other:"RyAQVq_rows"}',
    'server/chunks/ssr/a.js': '"prc-Label-Label-qG-Zu RyAQVq_row", "static/media/i.1uu8oz5vzv3y_.svg"',
    'static/media/i.1uu8oz5vzv3y_.svg': '<svg/>',
  }
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(build, name, '..'), { recursive: true })
    await writeFile(join(build, name), text)
  }
  await shortenNames(build)
  const names = shortNames(files['static/chunks/a.css'])
  const [row, label] = [names.get('RyAQVq_row'), names.get('prc-Label-Label-qG-Zu')]
  expect(row).toMatch(/^c\w{5}$/)
  const read = (name: string) => readFile(join(build, name), 'utf8')
  expect(await read('static/chunks/a.css')).toBe(`.${row}:where(.${label}){color:red}.icon{fill:red}`)
  expect(await read('static/chunks/a.js')).toBe(`{row:"${row}",other:"RyAQVq_rows"}`)
  expect(await read('server/chunks/ssr/a.js')).toBe(`"${label} ${row}", "static/i.vzv3y_.svg"`)
  expect(await read('static/i.vzv3y_.svg')).toBe('<svg/>')
  await rm(build, { recursive: true })
})
