import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Gives the classes of CSS modules short names in a Next.js build, because lists repeat them in each row. The
 * name of a class depends on its former name alone, so a script that a browser has cached stays valid as long
 * as its name does.
 */
export async function shortenClasses(directory) {
  const files = []
  for (const part of ['static/chunks', 'server']) {
    const names = await readdir(join(directory, part), { recursive: true })
    files.push(
      ...names.map(name => join(directory, part, name)).filter(name => /\.(js|css|html|rsc)$/.test(name)),
    )
  }
  const sheets = files.filter(name => name.endsWith('.css'))
  const short = shortNames((await Promise.all(sheets.map(name => readFile(name, 'utf8')))).join('\n'))
  for (const file of files) {
    const text = await readFile(file, 'utf8')
    const changed = text.replace(token, name => short.get(name) ?? name)
    if (changed !== text) await writeFile(file, changed)
  }
}

// The classes of the UI kit, and of the modules of the pages.
const token = /(?<![\w-])(?:prc-[\w-]+|[\w-]{6}_[A-Za-z][\w-]*)(?![\w-])/g

/** Returns the short name of each class in a stylesheet. */
export function shortNames(sheet) {
  const names = new Map()
  const former = new Map()
  for (const [, name] of sheet.matchAll(/\.((?:prc-[\w-]+|[\w-]{6}_[A-Za-z][\w-]*))/g)) {
    const digest = createHash('sha256').update(name).digest('base64url').replace(/[-_]/g, '')
    const short = `c${digest.slice(0, 5)}`
    const other = former.get(short)
    if (other && other !== name)
      throw new Error(`The classes ${other} and ${name} get the same name; rename one.`)
    former.set(short, name)
    names.set(name, short)
  }
  return names
}
