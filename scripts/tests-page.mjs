import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from './run.mjs'

/**
 * Reads the tables of `docs/tests.md`: the time budget of each folder in `npm test`, in seconds, and the test
 * files that `npm run test:slow` runs. If several folders contain a file, the first one in the table counts.
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
 * Returns the paths of the test files whose content matches, relative to the root of the repository.
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
  if (!section) throw new Error(`docs/tests.md must have a section "${name}"`)
  return section
}
