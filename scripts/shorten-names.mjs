import { createHash } from 'node:crypto'
import { readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Gives the classes of CSS modules, and the file of the icons, short names in a Next.js build, because lists repeat
 * them in each row. A short name depends on the former name alone, so a script that a browser has cached stays valid as
 * long as its name does. For the same reason, the rule must not change: scripts would keep their names.
 */
export async function shortenNames(directory) {
  const files = []
  for (const part of ['static/chunks', 'server']) {
    const names = await readdir(join(directory, part), { recursive: true })
    files.push(
      ...names.map(name => join(directory, part, name)).filter(name => /\.(js|css|html|rsc)$/.test(name)),
    )
  }
  const sheets = files.filter(name => name.endsWith('.css'))
  const classes = shortNames((await Promise.all(sheets.map(name => readFile(name, 'utf8')))).join('\n'))
  for (const file of files) {
    const text = await readFile(file, 'utf8')
    const changed = text.replace(token, name => classes.get(name) ?? name).replace(sprite, shortSprite)
    if (changed !== text) await writeFile(file, changed)
  }
  const media = await readdir(join(directory, 'static/media')).catch(() => [])
  for (const name of media) {
    const former = `static/media/${name}`
    const short = former.replace(sprite, shortSprite)
    if (short !== former) await rename(join(directory, former), join(directory, short))
  }
}

// The file that each icon refers to.
const sprite = /static\/media\/i\.[\w-]+([\w-]{6})\.svg/g
const shortSprite = 'static/i.$1.svg'

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
