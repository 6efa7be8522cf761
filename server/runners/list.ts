import type { ServiceCtx } from '@/server/kernel/ctx'
import { invalid } from '@/server/kernel/errors'
import { type Page, pageFromRows } from '@/server/kernel/pagination'
import { yes } from '@/server/kernel/wire'
import type { SettingsScopeFor } from '@/server/scopes'
import type { ListRunnersInput } from './schema'
import { countRunners, type RunnerRow, selectRunners } from './store'

const no: ReadonlySet<string> = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False', 'off'])

/**
 * Lists a page of the runners of a scope, most recently connected first. The site lists every runner.
 * @throws {DomainError} invalid if `disabled` is neither true nor false.
 */
export async function listRunners(
  ctx: ServiceCtx,
  scope: SettingsScopeFor,
  input: ListRunnersInput,
): Promise<Page<RunnerRow>> {
  const filter = { disabled: readFlag(input.disabled), now: ctx.clock.now() }
  const rows = await selectRunners(ctx.db, scope, filter, input)
  return await pageFromRows(input, rows, () => countRunners(ctx.db, scope, filter))
}

function readFlag(text: string | undefined): boolean | undefined {
  if (text === undefined || text === '') return undefined
  if (yes.has(text)) return true
  if (no.has(text)) return false
  throw invalid('disabled must be true or false', { field: 'disabled' })
}
