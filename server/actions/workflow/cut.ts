import { Document, isMap, isSeq, type Node, parseDocument, Scalar, visit, YAMLMap, YAMLSeq } from 'yaml'

/** A workflow as its author wrote it, without aliases. */
export type WorkflowDocument = Document.Parsed

/** What decides which part of a workflow a job is. */
export interface PayloadJob {
  job_key: string
  matrix: Record<string, unknown> | null
}

// Every value stays as it is written, such as 0755 and 3.10: the runner reads it by its own rules.
const asWritten = { schema: 'failsafe', uniqueKeys: false } as const
const keptKeys = ['name', 'run-name', 'on', 'env', 'defaults', 'permissions']
// All jobs of a run are made of one document. Parsed, it takes some sixty times its length.
const maxKept = 8
const maxKeptLength = 512 * 1024
const kept = new Map<string, WorkflowDocument>()

/** Parses a workflow that was planned before, which limited its size. */
export function parseWorkflow(text: string): WorkflowDocument {
  const parsed = kept.get(text) ?? parse(text)
  // The one used last is forgotten last.
  kept.delete(text)
  kept.set(text, parsed)
  let length = [...kept.keys()].reduce((sum, each) => sum + each.length, 0)
  for (const oldest of kept.keys()) {
    if (oldest === text || (kept.size <= maxKept && length <= maxKeptLength)) break
    kept.delete(oldest)
    length -= oldest.length
  }
  return parsed
}

function parse(text: string): WorkflowDocument {
  const parsed = parseDocument(text, asWritten)
  visit(parsed, {
    Alias: (_, alias) => alias.resolve(parsed)?.clone() as Node | undefined,
  })
  visit(parsed, {
    Node(_, node) {
      if ('anchor' in node) node.anchor = undefined
      node.comment = undefined
      node.commentBefore = undefined
    },
  })
  return parsed
}

/** The names of a job's steps, as GitHub shows them. */
export function stepNames(workflow: WorkflowDocument, key: string): string[] {
  const steps = jobOf(workflow, key)?.get('steps', true)
  return isSeq(steps) ? steps.items.map(step => shortened(isMap(step) ? nameOf(step) : 'Run')) : []
}

const maxNameLength = 255

// The database takes neither NUL nor half a pair of surrogates.
function shortened(name: string): string {
  const letters = [...name.replaceAll('\0', '').toWellFormed()]
  return letters.length > maxNameLength
    ? `${letters.slice(0, maxNameLength - 1).join('')}…`
    : letters.join('')
}

function nameOf(step: YAMLMap): string {
  const text = (key: string) => {
    const value = step.get(key)
    return typeof value === 'string' ? value.trim() : ''
  }
  const [line = ''] = text('run').split('\n')
  return text('name') || `Run ${text('uses') || line}`.trim()
}

/**
 * The workflow as YAML, reduced to one job with one combination of its matrix, and the labels by which the runner finds
 * out how to run it.
 */
export function payloadOf(
  workflow: WorkflowDocument,
  { job_key, matrix }: PayloadJob,
  labels: readonly string[],
): string {
  const root = new YAMLMap()
  for (const key of keptKeys) {
    const value = isMap(workflow.contents) ? workflow.contents.get(key, true) : undefined
    if (value) root.set(plain(key), value)
  }
  const job = new YAMLMap()
  for (const { key, value } of jobOf(workflow, job_key)?.items ?? []) job.set(key, value)
  set(job, 'runs-on', sequence(labels.map(quoted)))
  // Decided already, by more than the runner knows: how all jobs before it have ended.
  set(job, 'if', plain('always()'))
  if (matrix) set(job, 'strategy', withMatrix(job.get('strategy', true), matrix))
  const jobs = new YAMLMap()
  jobs.set(quoted(job_key), job)
  root.set(plain('jobs'), jobs)
  const reduced = new Document(undefined, asWritten)
  reduced.contents = root as never
  return reduced.toString({ lineWidth: 0 })
}

function jobOf({ contents }: WorkflowDocument, key: string): YAMLMap | undefined {
  const jobs = isMap(contents) ? contents.get('jobs', true) : undefined
  const job = isMap(jobs) ? jobs.get(key, true) : undefined
  return isMap(job) ? job : undefined
}

function withMatrix(strategy: unknown, matrix: Record<string, unknown>): YAMLMap {
  const made = new YAMLMap()
  for (const { key, value } of isMap(strategy) ? strategy.items : []) made.set(key, value)
  const single = new YAMLMap()
  for (const [key, value] of Object.entries(matrix)) single.set(quoted(key), sequence([nodeOf(value)]))
  set(made, 'matrix', single)
  return made
}

// Keys of the document are nodes, which are found by their value.
function set(map: YAMLMap, key: string, value: Node): void {
  map.delete(key)
  map.set(plain(key), value)
}

function nodeOf(value: unknown): Node {
  if (typeof value === 'string') return quoted(value)
  if (Array.isArray(value)) return sequence(value.map(nodeOf))
  if (value === null || typeof value !== 'object') return plain(String(value))
  const map = new YAMLMap()
  map.flow = true
  for (const [key, each] of Object.entries(value)) map.set(quoted(key), nodeOf(each))
  return map
}

function sequence(items: readonly Node[]): YAMLSeq {
  const made = new YAMLSeq()
  made.flow = true
  made.items.push(...items)
  return made
}

const plain = (text: string): Scalar => styled(text, Scalar.PLAIN)
const quoted = (text: string): Scalar => styled(text, Scalar.QUOTE_DOUBLE)

function styled(text: string, type: Scalar.Type): Scalar {
  const made = new Scalar(text)
  made.type = type
  return made
}
