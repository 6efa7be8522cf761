import { type Document, isAlias, isMap, isScalar, isSeq, type Node } from 'yaml'
import { unprocessable } from '@/server/kernel/errors'
import { maxChain, maxCrons, maxExcludes, maxIncludes } from './limits'

/**
 * Limits the costly parts of a parsed workflow before it is validated: schedules, matrix entries, and chains
 * of jobs.
 * @throws {DomainError} unprocessable, naming the limit.
 */
export function requireFewParts(parsed: Document.Parsed): void {
  const at = (node: unknown, key: string): unknown =>
    isMap(node) ? resolved(parsed, node.get(key, true)) : undefined
  requireAtMost(maxCrons, lengthOf(at(at(parsed.contents, 'on'), 'schedule')), 'entries in on.schedule')
  const jobs = at(parsed.contents, 'jobs')
  if (!isMap(jobs)) return
  const needs = new Map<string, string[]>()
  for (const { key, value } of jobs.items) {
    const [name, job] = [textOf(key), resolved(parsed, value)]
    const matrix = at(at(job, 'strategy'), 'matrix')
    requireAtMost(maxIncludes, lengthOf(at(matrix, 'include')), `include entries in job '${name}'`)
    requireAtMost(maxExcludes, lengthOf(at(matrix, 'exclude')), `exclude entries in job '${name}'`)
    needs.set(
      name.toLowerCase(),
      textsOf(parsed, at(job, 'needs')).map(need => need.toLowerCase()),
    )
  }
  requireAtMost(maxChain, longestChain(needs), 'jobs in a single dependency chain')
}

function resolved(parsed: Document.Parsed, node: unknown): unknown {
  return isAlias(node) ? node.resolve(parsed) : node
}

const lengthOf = (node: unknown): number => (isSeq(node) ? node.items.length : 0)

const textOf = (node: unknown): string => (isScalar(node) ? String(node.value) : '')

const textsOf = (parsed: Document.Parsed, node: unknown): string[] =>
  (isSeq(node) ? node.items : [node as Node]).map(each => textOf(resolved(parsed, each))).filter(Boolean)

/**
 * Returns the length of the longest chain of jobs that wait for each other. Cycles are rejected elsewhere and
 * do not count.
 */
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
  // The loop below adds to this map while iterating over it; each job is added after all jobs that it needs.
  for (const [name, own] of depth) {
    for (const dependent of dependents.get(name) ?? []) {
      const left = (missing.get(dependent) ?? 0) - 1
      missing.set(dependent, left)
      // The needed job that was added last is the deepest.
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
