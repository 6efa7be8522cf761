import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Returns a key that changes with every migration and engine version, so that outdated templates are never
 * used.
 */
export async function templateKey(): Promise<string> {
  const hash = createHash('sha256')
  for (const file of await templateSources()) hash.update(file).update('\0')
  return hash.digest('hex').slice(0, 16)
}

async function templateSources(): Promise<string[]> {
  const directory = fileURLToPath(new URL('../migrations/', import.meta.url))
  const names = (await readdir(directory, { recursive: true })).filter(name => name.endsWith('.ts')).sort()
  const migrations = await Promise.all(names.map(name => readFile(join(directory, name), 'utf8')))
  const engine = createRequire(import.meta.url).resolve('@electric-sql/pglite')
  return [await readFile(join(engine, '../../package.json'), 'utf8'), ...names, ...migrations]
}
