import { withTransaction } from '@/db/transaction'
import {
  type ActionsFor,
  askingToShow,
  canWriteActions,
  listRuns,
  loadActions,
  requireUnarchived,
  viewWorkflow,
} from '@/server/actions'
import type { RunList, WorkflowEntry } from '@/server/actions/schema'
import { originOf, recordEvent } from '@/server/events'
import type { ActingCtx, ServiceCtx } from '@/server/kernel/ctx'
import { deleted, notFound } from '@/server/kernel/errors'
import { lockRepository, workflowFolders } from '@/server/repos'
import type { RepoPath } from '@/server/repos/schema'
import { keepAccounts } from '@/server/users'
import { checkWorkflow, fileOf, readWorkflowFiles, summaryBy, type WorkflowFile } from './files'
import type { BrowsedWorkflows, ListWorkflowRunsInput, WorkflowList, WorkflowPath } from './schema'
import { deleteDisabled, insertDisabled, selectDisabled } from './store'

/**
 * Lists the workflows of the default branch.
 * @throws {DomainError} notFound, moved after a rename, forbidden without access to actions; tooManyRequests
 * if Git or the thread that reads workflows is overloaded.
 */
export async function listWorkflows(ctx: ServiceCtx, path: RepoPath): Promise<WorkflowList> {
  const found = await loadActions(ctx, path, 'read')
  const files = await workflowsOf(ctx, found)
  const disabled = await selectDisabled(ctx.db, found.repository.id)
  const workflows: WorkflowEntry[] = []
  for (const file of files) workflows.push(await viewFile(ctx, found, file, disabled))
  return { workflows, total_count: workflows.length }
}

/**
 * Lists the workflows of the default branch with the events that start them, for pages.
 * @throws {DomainError} as `listWorkflows`.
 */
export async function browseWorkflows(ctx: ServiceCtx, path: RepoPath): Promise<BrowsedWorkflows> {
  const found = await loadActions(ctx, path, 'read')
  const files = await workflowsOf(ctx, found)
  const disabled = await selectDisabled(ctx.db, found.repository.id)
  const asking = askingToShow(ctx)
  const workflows: BrowsedWorkflows['workflows'] = []
  for (const each of files) {
    const file = fileOf(each)
    const { isValid, canStart, mistakes, warnings } = await checkWorkflow(asking, each)
    const summary = await summaryBy(asking, each)
    workflows.push({
      file,
      path: each.path,
      is_disabled: disabled.has(file),
      is_invalid: !isValid,
      can_start: canStart,
      mistakes,
      warnings,
      ...summary,
    })
  }
  return { workflows, may_write: canWriteActions(found) }
}

/**
 * Returns a workflow of the default branch.
 * @throws {DomainError} as `listWorkflows`, and notFound for the workflow.
 */
export async function getWorkflow(ctx: ServiceCtx, path: WorkflowPath): Promise<WorkflowEntry> {
  const found = await loadActions(ctx, path, 'read')
  const file = await findWorkflow(ctx, found, path.workflow_id)
  return await viewFile(ctx, found, file, await selectDisabled(ctx.db, found.repository.id))
}

/**
 * Lists a page of the runs of a workflow, newest first, also after its file was deleted.
 * @throws {DomainError} as `listWorkflows`; unprocessable for an unknown status; notFound if no run matches and the
 * default branch has no such workflow.
 */
export async function listRunsOfWorkflow(ctx: ServiceCtx, input: ListWorkflowRunsInput): Promise<RunList> {
  const runs = await listRuns(ctx, {
    ...input,
    workflows: workflowFolders.map(folder => `${folder}/${input.workflow_id}`),
  })
  if (runs.total_count === 0) await getWorkflow(ctx, input)
  return runs
}

/**
 * Enables or disables a workflow. Nothing starts a disabled workflow, but others can call it. Repeating the call changes nothing.
 * @throws {DomainError} forbidden if the repository is archived; notFound if the default branch has no such
 * workflow, or if the repository is deleted or transferred concurrently; tooManyRequests if Git is
 * overloaded.
 */
export async function switchWorkflow(
  ctx: ActingCtx,
  found: ActionsFor<'write'>,
  { workflow_id, enabled }: { workflow_id: string; enabled: boolean },
): Promise<void> {
  requireUnarchived(found.repository)
  // A workflow whose file was deleted can still be enabled for other branches.
  const isKnown = enabled && (await selectDisabled(ctx.db, found.repository.id)).has(workflow_id)
  const file = isKnown ? workflow_id : fileOf(await findWorkflow(ctx, found, workflow_id))
  const { id: repositoryId, owner_id: ownerId } = found.repository
  await withTransaction(ctx.db, async trx => {
    await keepAccounts(trx, [originOf(ctx).actorId])
    if ((await lockRepository(trx, repositoryId))?.owner_id !== ownerId) throw deleted('repository')
    const change = enabled ? deleteDisabled : insertDisabled
    if (!(await change(trx, repositoryId, file))) return
    const kind = enabled ? 'workflow.enabled' : 'workflow.disabled'
    await recordEvent(trx, originOf(ctx), { kind, ownerId, repositoryId, facts: { repositoryId, file } })
  })
}

/**
 * Finds a workflow of the default branch by the name of its file.
 * @throws {DomainError} notFound; tooManyRequests if Git is overloaded.
 */
export async function findWorkflow(ctx: ServiceCtx, found: ActionsFor, id: string): Promise<WorkflowFile> {
  const file = (await workflowsOf(ctx, found)).find(each => fileOf(each) === id)
  if (!file) throw notFound(`there is no workflow "${id}" on the default branch`)
  return file
}

async function workflowsOf(ctx: ServiceCtx, { repository }: ActionsFor): Promise<WorkflowFile[]> {
  if (repository.is_empty) return []
  const head = `refs/heads/${repository.default_branch}`
  return (await readWorkflowFiles(ctx, repository.storage_key, head))?.files ?? []
}

async function viewFile(
  ctx: ServiceCtx,
  found: ActionsFor,
  file: WorkflowFile,
  disabled: ReadonlySet<string>,
): Promise<WorkflowEntry> {
  const { name } = await summaryBy(askingToShow(ctx), file)
  return viewWorkflow(ctx, found, { path: file.path, name, isDisabled: disabled.has(fileOf(file)) })
}
