import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from './run.mjs'

/**
 * Reads the tables of docs/tests.md: the seconds that the tests of each folder may take in `npm test`, the first match
 * counting, and the files that `npm run test:slow` runs.
 * @returns {Promise<{ budgets: { folder: string, seconds: number }[], slow: string[] }>}
 */
export async function readTestsPage() {
  const page = await readFile(join(root, 'docs/tests.md'), 'utf8')
  const rows = (name, shape) => [...sectionOf(page, name).matchAll(shape)]
  return {
    budgets: rows('Budgets', /^\| `([^`]+)` \| (\d+) \|/gm).map(([, folder, seconds]) => ({
      folder,
      seconds: Number(seconds),
    })),
    slow: rows('Slow tests', /^\| `([^`]+)` \|/gm).map(([, file]) => file),
  }
}

/**
 * The files of tests whose text matches, from the root of the repository.
 * @param {RegExp} text
 * @returns {Promise<string[]>}
 */
export async function testFilesWith(text) {
  const found = []
  for (const folder of ['app', 'db', 'e2e', 'proto', 'scripts', 'server', 'testing']) {
    for (const name of await readdir(join(root, folder), { recursive: true })) {
      const path = `${folder}/${name}`
      if (!/\.(?:test|spec)\.tsx?$/.test(name) || /node_modules\/|^tests-page\./.test(name)) continue
      if (text.test(await readFile(join(root, path), 'utf8'))) found.push(path)
    }
  }
  return found
}

function sectionOf(page, name) {
  const section = page.split(/^## /m).find(part => part.startsWith(`${name}\n`))
  if (!section) throw new Error(`docs/tests.md has no section "${name}"`)
  return section
}
