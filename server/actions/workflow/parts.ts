import { type Document, isAlias, isMap, isScalar, isSeq, type Node } from 'yaml'
import { unprocessable } from '@/server/kernel/errors'
import { maxChain, maxCrons, maxExcludes, maxIncludes } from './limits'

/**
 * Requires that a parsed workflow has no more of what is costly than one needs, before it is looked at any closer.
 * @throws {DomainError} unprocessable, naming the limit.
 */
export function requireFewParts(parsed: Document.Parsed): void {
  const at = (node: unknown, key: string): unknown =>
    isMap(node) ? resolved(parsed, node.get(key, true)) : undefined
  requireAtMost(maxCrons, lengthOf(at(at(parsed.contents, 'on'), 'schedule')), 'lines of on.schedule')
  const jobs = at(parsed.contents, 'jobs')
  if (!isMap(jobs)) return
  const needs = new Map<string, string[]>()
  for (const { key, value } of jobs.items) {
    const [name, job] = [textOf(key), resolved(parsed, value)]
    const matrix = at(at(job, 'strategy'), 'matrix')
    requireAtMost(maxIncludes, lengthOf(at(matrix, 'include')), `entries of include in the job '${name}'`)
    requireAtMost(maxExcludes, lengthOf(at(matrix, 'exclude')), `entries of exclude in the job '${name}'`)
    needs.set(name, textsOf(parsed, at(job, 'needs')))
  }
  requireAtMost(maxChain, longestChain(needs), 'jobs one after the other')
}

function resolved(parsed: Document.Parsed, node: unknown): unknown {
  return isAlias(node) ? node.resolve(parsed) : node
}

const lengthOf = (node: unknown): number => (isSeq(node) ? node.items.length : 0)

const textOf = (node: unknown): string => (isScalar(node) ? String(node.value) : '')

const textsOf = (parsed: Document.Parsed, node: unknown): string[] =>
  (isSeq(node) ? node.items : [node as Node]).map(each => textOf(resolved(parsed, each))).filter(Boolean)

/** How many jobs wait for each other in a row; those in a circle, which is refused elsewhere, do not count. */
function longestChain(needs: ReadonlyMap<string, readonly string[]>): number {
  const dependents = new Map<string, string[]>()
  const missing = new Map<string, number>()
  for (const [name, own] of needs) {
    missing.set(name, own.length)
    for (const need of own) {
      const found = dependents.get(need)
      if (found) found.push(name)
      else dependents.set(need, [name])
    }
  }
  const depth = new Map<string, number>()
  for (const [name, count] of missing) if (count === 0) depth.set(name, 1)
  // Grows while it is walked, and each comes after all that it needs.
  for (const [name, own] of depth) {
    for (const dependent of dependents.get(name) ?? []) {
      const left = (missing.get(dependent) ?? 0) - 1
      missing.set(dependent, left)
      // The one before it that came last is the deepest.
      if (left === 0) depth.set(dependent, own + 1)
    }
  }
  return Math.max(0, ...depth.values())
}

function requireAtMost(most: number, found: number, what: string): void {
  if (found > most) {
    const [has, limit] = [found, most].map(count => count.toLocaleString('en-US'))
    throw unprocessable(`The workflow has ${has} ${what}; at most ${limit} are allowed.`, {
      field: 'workflow',
    })
  }
}
