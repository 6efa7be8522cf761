import {
  type ActionsFor,
  type Asking,
  askingToShow,
  askThread,
  type DispatchInput,
  isTooMuch,
  loadActions,
  requireRunnable,
  startRun,
} from '@/server/actions'
import { repositoryOfPayload } from '@/server/hooks/payload'
import { actingAccount } from '@/server/kernel/caller'
import type { ActingCtx, ServiceCtx } from '@/server/kernel/ctx'
import { forbidden, notFound, unprocessable } from '@/server/kernel/errors'
import { oneRef } from '@/server/kernel/git/refs'
import { withGitSlot } from '@/server/kernel/git/slots'
import type { RepositoryRow } from '@/server/repos'
import { repositoryPath } from '@/server/repos/storage'
import { fileOf, isUnreadable, readWorkflowFiles, summaryBy } from './files'
import { runOf } from './run-of'
import type { DispatchedRun, DispatchForm, DispatchFormInput, DispatchOption } from './schema'
import { selectDisabled } from './store'

/**
 * Starts a workflow manually, from its file on the given branch or tag.
 * @throws {DomainError} forbidden if the repository is archived, actions are turned off there, or the
 * workflow is disabled; notFound if there is no such ref or workflow; unprocessable if the workflow is
 * invalid or cannot be started manually, or if an input is wrong; tooManyRequests if Git or the thread that
 * reads workflows is overloaded.
 */
export async function dispatchWorkflow(
  ctx: ActingCtx,
  found: ActionsFor<'write'>,
  { workflow_id, ref: name, inputs }: DispatchOption & { workflow_id: string },
): Promise<DispatchedRun> {
  const { repository, owner } = found
  requireRunnable(repository)
  const ref = await requireRef(ctx, repository, name)
  const read = await readWorkflowFiles(ctx, repository.storage_key, ref)
  const file = read?.files.find(each => fileOf(each) === workflow_id)
  if (!read || file?.document === undefined)
    throw notFound(`there is no workflow "${workflow_id}" on ${name}`)
  if ((await selectDisabled(ctx.db, repository.id)).has(workflow_id)) {
    throw forbidden('The workflow is disabled.')
  }
  const { path, document } = file
  const asked = await askThread(ctx, 'validInputs', { document })
  if (!asked) throw unprocessable('The workflow does not have a "workflow_dispatch" trigger.')
  const actor = actingAccount(ctx.caller)
  const target = await repositoryOfPayload(ctx, { repository, actorId: actor?.id ?? null })
  const cause = {
    repository,
    owner,
    actor: actor ?? undefined,
    event: 'workflow_dispatch',
    ref,
    commit: read.commit,
    payload: { ref, workflow: path, inputs: selectedInputs(asked, inputs), ...target },
    title: '',
  }
  const { run } = await startRun(ctx, found, await runOf(ctx, cause, { path, document }))
  const at = `${owner.name}/${repository.name}/actions/runs/${run.id}`
  const { baseUrl } = ctx.config
  return { workflow_run_id: run.id, run_url: `${baseUrl}/api/v1/repos/${at}`, html_url: `${baseUrl}/${at}` }
}

/**
 * Lists the workflows of a branch or tag that people can start, with their inputs. Includes those that could
 * be started if they were enabled, or perhaps if they were valid.
 * @throws {DomainError} notFound for the repository or the ref, moved after a rename, forbidden without write
 * access to actions; tooManyRequests if Git or the thread that reads workflows is overloaded.
 */
export async function showDispatchForm(ctx: ServiceCtx, input: DispatchFormInput): Promise<DispatchForm> {
  const { repository } = await loadActions(ctx, input, 'write')
  const asking = askingToShow(ctx)
  const ref = await requireRef(ctx, repository, input.ref ?? repository.default_branch)
  const read = await readWorkflowFiles(ctx, repository.storage_key, ref)
  const disabled = await selectDisabled(ctx.db, repository.id)
  const workflows: DispatchForm['workflows'] = []
  for (const each of read?.files ?? []) {
    const file = fileOf(each)
    const inputs = await inputsIn(asking, each.document ?? '')
    if (!inputs) continue
    const problem = disabled.has(file) ? 'disabled' : inputs === 'invalid' ? inputs : null
    const { name } = await summaryBy(asking, each)
    workflows.push({ file, name, problem, inputs: inputs === 'invalid' ? [] : inputs })
  }
  return { workflows }
}

async function inputsIn(asking: Asking, document: string): Promise<DispatchInput[] | 'invalid' | undefined> {
  try {
    return await askThread(asking, 'dispatchInputs', { document })
  } catch (error) {
    if (isUnreadable(error) || isTooMuch(error)) return 'invalid'
    throw error
  }
}

/**
 * Returns the full name of a branch or tag.
 * @throws {DomainError} notFound if there is none of this name.
 */
async function requireRef(ctx: ServiceCtx, repository: RepositoryRow, name: string): Promise<string> {
  const ref = await findRef(ctx, repository, name)
  if (!ref) throw notFound(`there is no branch or tag "${name}"`, { field: 'ref' })
  return ref
}

async function findRef(
  ctx: ServiceCtx,
  repository: RepositoryRow,
  name: string,
): Promise<string | undefined> {
  // Git would read a name with one of these characters as a pattern.
  if (repository.is_empty || /[*?[\\\0]/.test(name)) return undefined
  const isFull = /^refs\/(heads|tags)\//.test(name)
  const refs = [...(isFull ? [name] : []), `refs/heads/${name}`, `refs/tags/${name}`]
  const directory = repositoryPath(ctx.config, repository.storage_key)
  return await withGitSlot(ctx, async () => {
    for (const ref of refs) if (await oneRef(directory, ref)) return ref
    return undefined
  })
}

function selectedInputs(
  asked: readonly DispatchInput[],
  values: Readonly<Record<string, string | number | boolean>>,
): Record<string, string> {
  const unknown = Object.keys(values).find(name => !asked.some(input => input.name === name))
  if (unknown !== undefined)
    throw unprocessable(`The workflow has no input "${unknown}".`, { field: 'inputs' })
  return Object.fromEntries(
    asked.map(input => {
      const value = Object.hasOwn(values, input.name) ? String(values[input.name]) : input.default
      requireFitting(input, value)
      return [input.name, input.type === 'boolean' ? value || 'false' : value]
    }),
  )
}

const maxShown = 10

function requireFitting({ name, type, required, options }: DispatchInput, value: string): void {
  if (value === '') {
    if (required) throw wrong(`The input "${name}" is required.`, name, 'Enter a value.')
    return
  }
  if (type === 'boolean' && !/^(true|false)$/.test(value))
    throw wrong(`The input "${name}" must be true or false.`, name, 'Enter true or false.')
  if (type === 'number' && !/^-?\d+(\.\d+)?$/.test(value))
    throw wrong(`The input "${name}" must be a number.`, name, 'Enter a number, such as 3 or -0.5.')
  if (type === 'choice' && !options.includes(value)) {
    const more = options.length > maxShown ? ' and others' : ''
    const some = `${options.slice(0, maxShown).join(', ')}${more}`
    throw wrong(`The input "${name}" must be one of: ${some}.`, name, `Select one of: ${some}.`)
  }
}

const wrong = (message: string, name: string, problem: string) =>
  unprocessable(message, { field: `inputs.${name}`, reason: { code: 'notAccepted', problem } })
