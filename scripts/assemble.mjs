import { cp, mkdir, readdir, readFile, realpath, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { nodeFileTrace } from '@vercel/nft'
import { buildIfNeeded } from './build.mjs'
import { root } from './run.mjs'

// Started by the server or by people, and each loads files of its own.
const programs = [
  'main',
  'command',
  'ssh-keys',
  'ssh-session',
  'workflow-thread',
  'text-thread',
  'database-thread',
  'hash-worker',
  'launcher',
]
// No page uses the image optimizer, which sharp is for.
const unused =
  /^\.next\/(cache|diagnostics|standalone|stamp|trace|trace-build|types|dev)(\/|$)|^node_modules\/(sharp|@img)\/|\.nft\.json$|\.map$/

const [target] = process.argv.slice(2)
if (!target) throw new Error('Name the folder to copy to: node scripts/assemble.mjs FOLDER')
await buildIfNeeded()
const files = await neededFiles()
for (const file of files) {
  const copy = join(target, file)
  await mkdir(dirname(copy), { recursive: true })
  await cp(join(root, file), copy, { verbatimSymlinks: true })
}
process.stdout.write(`Copied ${files.size} files to ${target}.\n`)

/** Returns the files that the running server and its commands can load, relative to the project. */
async function neededFiles() {
  const pages = await listOf('.next')
  const traces = pages.filter(path => path.endsWith('.nft.json'))
  const names = (await readdir(join(root, 'dist'))).filter(name =>
    programs.includes(name.replace(/\.m?js$/, '')),
  )
  const starts = [
    ...names.map(name => join(root, 'dist', name)),
    join(root, 'next.config.mjs'),
    ...(await aliasesOfNext()),
  ]
  // Packages can have other files for versions of Node.js that load ES modules synchronously.
  const cache = {}
  const traced = []
  for (const conditions of [['node'], ['node', 'module-sync']]) {
    const { fileList } = await nodeFileTrace(starts, { base: root, processCwd: root, conditions, cache })
    traced.push(...fileList)
  }
  const served = [...pages, ...(await listOf('public'))]
  return new Set(
    [
      ...served,
      ...(await packageFilesOf(traces)),
      ...traced,
      'package.json',
      'scripts/image/guildhall',
    ].filter(path => !unused.test(path)),
  )
}

// Does not follow links to folders, which a recursive `readdir` does in some versions of Node.js.
async function listOf(folder) {
  const entries = await readdir(join(root, folder), { withFileTypes: true })
  const lists = entries.map(entry => {
    const path = `${folder}/${entry.name}`
    return entry.isDirectory() ? listOf(path) : [path]
  })
  return (await Promise.all(lists)).flat()
}

// Traces name files of packages through the links in `.next/node_modules`. They also name the whole project for code
// that reads files by a path that is not a literal, which pages do only while they are compiled.
async function packageFilesOf(traces) {
  const named = new Set()
  for (const path of traces) {
    const { files } = JSON.parse(await readFile(join(root, path), 'utf8'))
    for (const file of files) named.add(join(root, dirname(path), file))
  }
  const found = await Promise.all(
    [...named]
      .filter(file => file.includes('/node_modules/'))
      .map(async file => ((await stat(file)).isFile() ? [relative(root, await realpath(file))] : [])),
  )
  return found.flat()
}

// Next.js replaces some packages by its own copies, which a trace does not see.
async function aliasesOfNext() {
  const { resolve } = createRequire(join(root, 'package.json'))
  const hooks = await readFile(resolve('next/dist/server/config-utils.js'), 'utf8')
  return [
    ...new Set([...hooks.matchAll(/'(next\/dist\/compiled\/[^']+)'/g)].map(([, name]) => resolve(name))),
  ]
}
