import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Merges the stylesheets of a Next.js build into one for all pages, instead of about twenty per page. It
 * compresses better and is cached after the first page. Replaces the stylesheets in the manifests that
 * Next.js writes for its pages. A manifest with an unknown format is left unchanged, so its page keeps its
 * own stylesheets.
 */
export async function mergeStylesheets(directory) {
  const manifests = await readManifests(join(directory, 'server/app'))
  const lists = manifests.flatMap(({ content }) => Object.values(content.entryCSSFiles))
  const order = inOneOrder(lists.map(list => list.map(({ path }) => path)))
  if (order.length === 0) return
  const parts = await Promise.all(order.map(path => readFile(join(directory, path), 'utf8')))
  const sheet = parts.map(part => part.replace(/\/\*# sourceMappingURL=[^*]*\*\//g, '')).join('\n')
  const path = `static/chunks/${createHash('sha256').update(sheet).digest('hex').slice(0, 16)}.css`
  await writeFile(join(directory, path), sheet)
  for (const { file, head, content } of manifests) {
    for (const entry of Object.keys(content.entryCSSFiles)) {
      content.entryCSSFiles[entry] = [{ path, inlined: false }]
    }
    await writeFile(file, `${head}${JSON.stringify(content)};\n`)
  }
}

async function readManifests(directory) {
  const names = await readdir(directory, { recursive: true })
  const files = names.filter(name => name.endsWith('_client-reference-manifest.js'))
  const manifests = await Promise.all(files.map(name => readManifest(join(directory, name))))
  return manifests.filter(manifest => manifest?.content.entryCSSFiles)
}

async function readManifest(file) {
  const text = await readFile(file, 'utf8')
  const start = text.indexOf('] = {') + '] = '.length
  try {
    const content = JSON.parse(text.slice(start).replace(/;\s*$/, ''))
    return { file, head: text.slice(0, start), content }
  } catch {
    return undefined
  }
}

/**
 * Merges ordered lists into one list without duplicates. Each entry comes after the entries that precede it
 * in any list.
 */
function inOneOrder(lists) {
  const before = new Map()
  for (const list of lists) {
    for (const [at, path] of list.entries()) {
      const earlier = before.get(path) ?? new Set()
      for (const other of list.slice(0, at)) earlier.add(other)
      before.set(path, earlier)
    }
  }
  const order = new Set()
  const position = (path, waiting) => {
    if (order.has(path) || waiting.has(path)) return
    for (const earlier of before.get(path)) position(earlier, new Set([...waiting, path]))
    order.add(path)
  }
  for (const path of before.keys()) position(path, new Set())
  return [...order]
}
