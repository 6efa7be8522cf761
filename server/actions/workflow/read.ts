import { convertWorkflowTemplate, isMapping, NoOperationTraceWriter } from '@actions/workflow-parser'
import type { WorkflowJob } from '@actions/workflow-parser/model/workflow-template'
import {
  TemplateContext,
  TemplateValidationErrors,
} from '@actions/workflow-parser/templates/template-context'
import { readTemplate } from '@actions/workflow-parser/templates/template-reader'
import type { TemplateValidationError } from '@actions/workflow-parser/templates/template-validation-error'
import type { MappingToken, TemplateToken } from '@actions/workflow-parser/templates/tokens/index'
import { WORKFLOW_ROOT } from '@actions/workflow-parser/workflows/workflow-constants'
import { isDomainError, unprocessable } from '@/server/kernel/errors'
import type { RequestedPermissions } from '@/server/kernel/job-permissions'
import { type CallDefinition, callDefinitionOf } from './call-definition'
import { type Events, readEvents } from './events'
import { LimitedReader, parseModest } from './limits'
import { describeMistake, requireYaml, shownMistakes, splitMistakes } from './mistakes'
import { alignNeeds, requireAcyclic } from './needs'
import { requireFewParts } from './parts'
import { requestedPermissions } from './permissions'
import { refusal } from './refusal'
import { maxJobs } from './run-limits'
import { workflowSyntax } from './syntax'

/** Workflow that is valid according to GitHub's schema. */
export interface Workflow {
  name: TemplateToken | undefined
  runName: TemplateToken | undefined
  concurrency: TemplateToken | undefined
  events: Events
  /** What the workflow takes and returns when another one calls it; undefined if none can. */
  call: CallDefinition | undefined
  jobs: OwnJob[]
}

/** Job, extended by what GitHub's model omits. */
export type OwnJob = WorkflowJob & {
  'continue-on-error': TemplateToken | undefined
  /** The job as the workflow says it. */
  written: MappingToken
  /** What the workflow requests for the job's token; null if it requests nothing. */
  permissions: RequestedPermissions | null
}

// Describing a mistake takes longer than finding it.
const maxMistakes = 100

/**
 * Parses a workflow and validates it as GitHub does: its schema, its expressions, and that no job needs
 * itself.
 * @throws {DomainError} unprocessable with line, column and problem of the first mistakes, or naming a limit.
 */
export async function readWorkflow(document: string): Promise<Workflow> {
  if (document.trim() === '') throw refusal(undefined, 'The workflow is empty.')
  try {
    return await read(document)
  } catch (error) {
    // The stack overflowed, which no real workflow is deep enough to cause.
    if (error instanceof RangeError) throw refusal(undefined, 'The workflow is nested too deeply.')
    throw isDomainError(error) ? error : unreadable
  }
}

async function read(document: string): Promise<Workflow> {
  const modest = parseModest(document)
  requireYaml(modest)
  requireFewParts(modest.parsed)
  const errors = new TemplateValidationErrors(maxMistakes)
  const context = new TemplateContext(errors, workflowSyntax(), new NoOperationTraceWriter())
  const file = context.getFileId('workflow')
  const root = readTemplate(context, WORKFLOW_ROOT, new LimitedReader(file, modest), file)
  // The parser does not report further mistakes, which could be anywhere.
  if (errors.count === maxMistakes) requireNone(errors.getErrors())
  const { ofEvents, others } = splitMistakes(modest, errors.getErrors())
  requireNone(others)
  if (!root || !isMapping(root)) throw unreadable
  const jobs = entryOf(root, 'jobs')
  if (jobs && isMapping(jobs) && jobs.count > maxJobs)
    throw refusal(jobs, `The workflow has more than ${maxJobs} jobs.`)
  alignNeeds(jobs)
  const on = takeOut(root, 'on')
  errors.clear()
  const template = await convertWorkflowTemplate(context, root)
  requireAcyclic(template.jobs ?? [])
  requireNone(errors.getErrors())
  return {
    name: entryOf(root, 'name'),
    runName: entryOf(root, 'run-name'),
    concurrency: entryOf(root, 'concurrency'),
    events: readEvents(on, ofEvents),
    call: callDefinitionOf(on),
    jobs: template.jobs.map(job => withOmitted(job, jobs, entryOf(root, 'permissions'))),
  }
}

// GitHub's converter would refuse the whole workflow for a mistake in one event.
function takeOut(root: MappingToken, name: string): TemplateToken | undefined {
  for (let index = 0; index < root.count; index++) {
    const { key, value } = root.get(index)
    if (key.toString() !== name) continue
    root.remove(index)
    return value
  }
  return undefined
}

function withOmitted(
  job: WorkflowJob,
  jobs: TemplateToken | undefined,
  ofWorkflow: TemplateToken | undefined,
): OwnJob {
  const written = jobs && isMapping(jobs) ? entryOf(jobs, job.id.value) : undefined
  if (!written || !isMapping(written)) throw unreadable
  return {
    ...job,
    'continue-on-error': entryOf(written, 'continue-on-error'),
    permissions: requestedPermissions(entryOf(written, 'permissions'), ofWorkflow),
    written,
  }
}

const unreadable = unprocessable('This is not a valid workflow. It must be a mapping with `on` and `jobs`.', {
  field: 'workflow',
})

/** Returns the name and events of a workflow, even an invalid one; undefined if it cannot be read at all. */
export function namedWorkflow(document: string): { name: string; events: string[] } | undefined {
  try {
    const { on, name } = parseModest(document).parsed.toJS()
    const events =
      typeof on === 'string'
        ? [on]
        : Array.isArray(on)
          ? on.map(String)
          : typeof on === 'object' && on !== null
            ? Object.keys(on)
            : undefined
    return events && { name: typeof name === 'string' ? name : '', events }
  } catch {
    return undefined
  }
}

/** Returns the value of a key of a mapping. */
export function entryOf(mapping: MappingToken, name: string): TemplateToken | undefined {
  for (const { key, value } of mapping) if (key.toString() === name) return value
  return undefined
}

function requireNone(found: readonly TemplateValidationError[]): void {
  if (found.length === 0) return
  const messages = withoutImplied(found.map(describe)).slice(0, shownMistakes)
  throw unprocessable(messages.join('\n'), { field: 'workflow' })
}

/** Leaves out that a key is missing if there is a similar one, which was probably meant. */
function withoutImplied(messages: readonly string[]): string[] {
  const meant = messages.flatMap(message => /; did you mean '([\w-]+)'\?$/.exec(message)?.[1] ?? [])
  return messages.filter(message => {
    const missing = /: (?:Required property is missing|There's not enough info .*): ([\w, -]+)$/.exec(
      message,
    )?.[1]
    return !missing?.split(', ').some(key => meant.includes(key))
  })
}

function describe(error: TemplateValidationError): string {
  return error.range || error.rawMessage.startsWith('The workflow')
    ? describeMistake(error)
    : unreadable.message
}
