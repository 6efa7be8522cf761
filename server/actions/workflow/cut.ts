import {
  Document,
  isMap,
  isNode,
  isSeq,
  type Node,
  parseDocument,
  Scalar,
  visit,
  YAMLMap,
  YAMLSeq,
} from 'yaml'

/** Parsed workflow that keeps scalars as written and has all aliases resolved. */
export type WorkflowDocument = Document.Parsed

/** Identifies a job within its workflow: its ID there and its matrix combination. */
export interface PayloadJob {
  job_key: string
  matrix: Record<string, unknown> | null
}

// Every value stays as written, such as 0755 and 3.10, because the runner applies its own rules to it.
const asWritten = { schema: 'failsafe', uniqueKeys: false } as const
const keptKeys = ['name', 'run-name', 'on', 'env', 'defaults', 'permissions']
// All jobs of a run are built from one document, which takes about sixty times its length when parsed.
const maxKept = 8
const maxKeptLength = 512 * 1024
const kept = new Map<string, WorkflowDocument>()

/**
 * Parses a workflow, or returns it from the cache. The document must have been planned before, which limits
 * its size.
 */
export function parseWorkflow(text: string): WorkflowDocument {
  const parsed = kept.get(text) ?? parse(text)
  // Re-inserting makes this entry the most recently used one.
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

/** Returns the names of a job's steps as GitHub shows them. */
export function stepNames(workflow: WorkflowDocument, key: string): string[] {
  const steps = jobOf(workflow, key)?.get('steps', true)
  return isSeq(steps) ? steps.items.map(step => shortened(isMap(step) ? nameOf(step) : 'Run')) : []
}

const maxNameLength = 255

// The database accepts neither NUL nor lone surrogates.
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

interface PayloadOptions {
  labels: readonly string[]
  name: string
  /** Whether the inputs of a reusable workflow are declared as those of a manual run. */
  isDispatched?: boolean
}

/**
 * Returns the workflow as YAML, reduced to one job with one combination of its matrix. `labels` replaces
 * `runs-on`, because the runner decides by its own labels how to run the job. `name` is used for a workflow
 * without one, because the runner takes `github.workflow` from it.
 */
export function payloadOf(
  workflow: WorkflowDocument,
  { job_key, matrix }: PayloadJob,
  { labels, name, isDispatched = false }: PayloadOptions,
): string {
  const root = new YAMLMap()
  for (const key of keptKeys) {
    const value = isMap(workflow.contents) ? workflow.contents.get(key, true) : undefined
    if (value) root.set(plain(key), key === 'on' && isDispatched ? asDispatched(value) : value)
    else if (key === 'name') root.set(plain(key), quoted(name))
  }
  const job = new YAMLMap()
  for (const { key, value } of jobOf(workflow, job_key)?.items ?? []) job.set(key, value)
  set(job, 'runs-on', sequence(labels.map(quoted)))
  // The server has already evaluated the condition; the runner does not know the outcomes of all jobs before
  // this one.
  set(job, 'if', plain('always()'))
  if (matrix) set(job, 'strategy', withMatrix(job.get('strategy', true), matrix))
  const jobs = new YAMLMap()
  jobs.set(quoted(job_key), job)
  root.set(plain('jobs'), jobs)
  const reduced = new Document(undefined, asWritten)
  reduced.contents = root as never
  return reduced.toString({ lineWidth: 0 })
}

// The runner takes the types of inputs from the event that started the run.
function asDispatched(on: unknown): unknown {
  const inputs = isMap(on) ? on.getIn(['workflow_call', 'inputs'], true) : undefined
  if (!isNode(inputs)) return on
  const [event, made] = [new YAMLMap(), new YAMLMap()]
  event.set(plain('inputs'), inputs)
  made.set(plain('workflow_dispatch'), event)
  return made
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

// Keys of the document are nodes, which `delete` finds by value.
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
