import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import ts from 'typescript'
import { root } from './run.mjs'
import { allowedUses, replacedTerms } from './terms.mjs'

/**
 * Finds discouraged terms in the names of files and folders, and in the names that code declares.
 * @param {string} path Path from the root of the repository.
 * @param {string} text Content of a source file; empty for other files.
 * @returns {string[]} A line for each distinct name that contains a discouraged term.
 */
export function replacedTermsIn(path, text) {
  const found = new Map()
  const look = (name, where) => {
    const words = wordsOf(name)
    const term = replacedTerms.find(({ pattern }) => pattern.test(words))
    if (term && !allowedUses.some(use => use.name === name && use.in.test(path)))
      found.set(
        `${where} ${name}`,
        `${path}: discouraged term in the ${where} "${name}"; preferred: ${term.say}`,
      )
  }
  for (const part of path.split('/')) look(part.split('.')[0], 'file or folder')
  if (text) eachDeclared(ts.createSourceFile(path, text, ts.ScriptTarget.Latest), name => look(name, 'name'))
  return [...found.values()]
}

/**
 * Splits a name into lowercase words joined by hyphens: `handOver` becomes `hand-over`, and `at_once` becomes
 * `at-once`.
 */
const wordsOf = name =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase()

function eachDeclared(node, visit) {
  // Names in property accesses and JSX attributes are declared elsewhere.
  if (
    node.name &&
    ts.isIdentifier(node.name) &&
    !ts.isPropertyAccessExpression(node) &&
    !ts.isJsxAttribute(node)
  )
    visit(node.name.text)
  ts.forEachChild(node, child => eachDeclared(child, visit))
}

// Migrations must keep the names that existing databases have, and generated code the names of its protocol.
const notOurs = /^(db\/migrations|proto\/gen)\//

async function main() {
  const { stdout } = await promisify(execFile)('git', ['ls-files', '-z'], { cwd: root, maxBuffer: 2 ** 24 })
  const lines = []
  for (const path of stdout.split('\0').filter(path => path && !notOurs.test(path))) {
    const isCode = /\.(ts|tsx|mjs)$/.test(path)
    const text = isCode ? await readFile(join(root, path), 'utf8').catch(() => '') : ''
    lines.push(...replacedTermsIn(path, text))
  }
  for (const line of lines) process.stdout.write(`${line}\n`)
  process.exitCode = lines.length > 0 ? 1 : 0
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main()
